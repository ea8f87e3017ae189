/* Looking for trouble that no lecture thought of: random clusters, clients and faults, all drawn
 * from a seed, with every rule of check/ watching (`etcdscope sim`).
 */
#ifndef EXPLORE_EXPLORE_H
#define EXPLORE_EXPLORE_H

/* `etcdscope sim ARGUMENTS`; argv[0] is "sim".  Returns the program's exit status: 0 nothing was
 * found, 1 a rule is broken (a script that shows it has been written), 2 usage. */
int explore_main(int argc, char **argv);

#endif
