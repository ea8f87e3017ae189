/* The benchmark: one program that prints `metric value unit` lines and nothing else on stdout.
 *
 * Times are CPU time of the thread, the median of RUNS (environment, default 3); with SPREAD=1
 * lines NAME.min and NAME.max follow.  Each file bench_X.c measures one layer.
 */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include <stddef.h>
#include <stdio.h>

enum { BENCH_RUNS_MAX = 99 };

/* Seconds of CPU this thread has used. */
double bench_cpu(void);
/* RUNS from the environment. */
size_t bench_runs(void);
/* A file with what write puts into it; the caller unlinks it and frees its name. */
char *bench_script_file(void (*write)(FILE *));
/* Prints the median of n samples, each times scale.  Sorts them. */
void bench_report(const char *metric, double *samples, size_t n, double scale, const char *unit);

void bench_raft(void);	  /* bench_raft.c: Raft alone */
void bench_store(void);	  /* bench_store.c: one member's store */
void bench_cluster(void); /* bench_cluster.c: the whole world */
void bench_script(void);  /* bench_script.c: the command line from end to end */
void bench_back(void);	  /* bench_back.c: going back in time */
void bench_seeds(void);	  /* bench_seeds.c: random clusters and faults */
void bench_start(void);	  /* bench_start.c: the program from its start to its end */

/* For callgrind.  n puts through a three-member cluster of 1,000 keys; n proposals through three
 * members of Raft alone; a store of n keys and then n of one operation: update, get, range, replay,
 * restore, or put.new, which is nothing more. */
void bench_cluster_count(size_t n);
void bench_raft_count(size_t n);
void bench_store_count(const char *operation, size_t n);

#endif
