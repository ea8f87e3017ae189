/* Forms of answers, on structs made by hand; what they should look like is from
 * conformance/cluster-facts.md ("Exact forms") and from the source of etcdctl's printers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmd/print.h"

static const struct response_header header = {
    .cluster_id = 16763483504251046159u, .revision = 2, .raft_term = 3};

static struct response status_of(struct member_status *s, uint64_t id, uint64_t leader)
{
	static const char *const no_leader[] = {"etcdserver: no leader"};

	struct response r = {.kind = REQ_STATUS, .header = header};

	r.header.member_id = id;
	*s = (struct member_status){.version = "3.5.16",
				    .db_size = 28672,
				    .db_size_in_use = 16384,
				    .leader = leader,
				    .raft_index = 10,
				    .raft_applied_index = 10,
				    .raft_term = 3,
				    .errors = no_leader,
				    .nerrors = leader ? 0 : 1};
	r.status = s;
	return r;
}

static const char status_table[] =
    "+-----------------------+------------------+---------+---------+-----------+------------+-----"
    "------+------------+--------------------+--------+\n"
    "|       ENDPOINT        |        ID        | VERSION | DB SIZE | IS LEADER | IS LEARNER | "
    "RAFT TERM | RAFT INDEX | RAFT APPLIED INDEX | ERRORS |\n"
    "+-----------------------+------------------+---------+---------+-----------+------------+-----"
    "------+------------+--------------------+--------+\n"
    "| http://10.20.0.1:2379 | 8e81af4513e7e81b |  3.5.16 |   29 kB |      true |      false |     "
    "    3 |         10 |                 10 |        |\n"
    "| http://10.20.0.2:2379 | 41b1a949432d5a46 |  3.5.16 |   29 kB |     false |      false |     "
    "    3 |         10 |                 10 |        |\n"
    "+-----------------------+------------------+---------+---------+-----------+------------+-----"
    "------+------------+--------------------+--------+\n";

static void endpoint_status(void **state)
{
	struct member_status sa, sb;
	struct response a = status_of(&sa, 10268681336603011099u, 10268681336603011099u);
	struct response b = status_of(&sb, 4733750815467854406u, 10268681336603011099u);
	const struct response *both[] = {&a, &b};
	const struct bytes names[] = {BYTES("http://10.20.0.1:2379"),
				      BYTES("http://10.20.0.2:2379")};
	struct endpoint_answers all = {.n = 2, .names = names, .r = both};
	struct buf out = {0};

	(void)state;
	print_endpoint_status(&out, &all, FORMAT_SIMPLE);
	assert_string_equal(
	    buf_str(&out),
	    "http://10.20.0.1:2379, 8e81af4513e7e81b, 3.5.16, 29 kB, true, false, 3, 10, 10, \n"
	    "http://10.20.0.2:2379, 41b1a949432d5a46, 3.5.16, 29 kB, false, false, 3, 10, 10, \n");
	buf_clear(&out);
	print_endpoint_status(&out, &all, FORMAT_TABLE);
	assert_string_equal(buf_str(&out), status_table);
	buf_clear(&out);
	print_endpoint_status(&out, &all, FORMAT_JSON);
	assert_string_equal(
	    buf_str(&out),
	    "[{\"Endpoint\":\"http://"
	    "10.20.0.1:2379\",\"Status\":{\"header\":{\"cluster_id\":16763483504251046159,\"member_"
	    "id\":10268681336603011099,\"revision\":2,\"raft_term\":3},\"version\":\"3.5.16\","
	    "\"dbSize\":28672,\"leader\":10268681336603011099,\"raftIndex\":10,\"raftTerm\":3,"
	    "\"raftAppliedIndex\":10,\"dbSizeInUse\":16384}},"
	    "{\"Endpoint\":\"http://"
	    "10.20.0.2:2379\",\"Status\":{\"header\":{\"cluster_id\":16763483504251046159,\"member_"
	    "id\":4733750815467854406,\"revision\":2,\"raft_term\":3},\"version\":\"3.5.16\","
	    "\"dbSize\":28672,\"leader\":10268681336603011099,\"raftIndex\":10,\"raftTerm\":3,"
	    "\"raftAppliedIndex\":10,\"dbSizeInUse\":16384}}]\n");
	buf_free(&out);
}

static void endpoint_status_without_a_leader(void **state)
{
	struct member_status s;
	struct response a = status_of(&s, 10268681336603011099u, 0);
	const struct response *answers[] = {&a, NULL};
	const struct bytes names[] = {BYTES("http://10.20.0.1:2379"), BYTES("S2")};
	struct endpoint_answers all = {.n = 2, .names = names, .r = answers};
	struct buf out = {0};

	(void)state;
	print_endpoint_status(&out, &all, FORMAT_SIMPLE);
	assert_string_equal(buf_str(&out), "http://10.20.0.1:2379, 8e81af4513e7e81b, 3.5.16, 29 "
					   "kB, false, false, 3, 10, 10, etcdserver: no leader\n");
	buf_clear(&out);
	print_endpoint_status(&out, &all, FORMAT_JSON);
	assert_non_null(strstr(buf_str(&out), "\"raftAppliedIndex\":10,\"errors\":[\"etcdserver: "
					      "no leader\"],\"dbSizeInUse\":16384}}]\n"));
	assert_null(strstr(buf_str(&out), "\"leader\""));
	buf_clear(&out);
	print_endpoint_status(&out, &all, FORMAT_FIELDS);
	assert_string_equal(buf_str(&out),
			    "\"ClusterID\" : 16763483504251046159\n\"MemberID\" : "
			    "10268681336603011099\n\"Revision\" : 2\n\"RaftTerm\" : 3\n"
			    "\"Version\" : \"3.5.16\"\n\"DBSize\" : 28672\n\"Leader\" : "
			    "0\n\"IsLearner\" : false\n\"RaftIndex\" : 10\n\"RaftTerm\" : 3\n"
			    "\"RaftAppliedIndex\" : 10\n\"Errors\" : [etcdserver: no "
			    "leader]\n\"Endpoint\" : \"http://10.20.0.1:2379\"\n\n");
	buf_free(&out);
}

static void members(void **state)
{
	const struct member_info list[] = {
	    {.id = 0x41b1a949432d5a46,
	     .name = "S2",
	     .peer_url = "http://10.10.0.2:2380",
	     .client_url = "http://10.20.0.2:2379"},
	    {.id = 0x8e81af4513e7e81b,
	     .name = "",
	     .peer_url = "http://10.10.0.1:2380",
	     .client_url = "",
	     .is_learner = true},
	};
	struct response r = {.kind = REQ_MEMBER_LIST, .header = header};
	struct print_options o = {.format = FORMAT_SIMPLE};
	struct buf out = {0};

	(void)state;
	r.header.revision = 0;
	r.member_list.members = list;
	r.member_list.n = 2;
	assert_true(print_response(&out, &r, NULL, &o));
	assert_string_equal(
	    buf_str(&out),
	    "41b1a949432d5a46, started, S2, http://10.10.0.2:2380, http://10.20.0.2:2379, false\n"
	    "8e81af4513e7e81b, unstarted, , http://10.10.0.1:2380, , true\n");
	buf_clear(&out);
	r.member_list.n = 1;
	o.format = FORMAT_TABLE;
	assert_true(print_response(&out, &r, NULL, &o));
	assert_string_equal(buf_str(&out),
			    "+------------------+---------+------+-----------------------+---------"
			    "--------------+------------+\n"
			    "|        ID        | STATUS  | NAME |      PEER ADDRS       |     "
			    "CLIENT ADDRS      | IS LEARNER |\n"
			    "+------------------+---------+------+-----------------------+---------"
			    "--------------+------------+\n"
			    "| 41b1a949432d5a46 | started |   S2 | http://10.10.0.2:2380 | "
			    "http://10.20.0.2:2379 |      false |\n"
			    "+------------------+---------+------+-----------------------+---------"
			    "--------------+------------+\n");
	buf_clear(&out);
	o.format = FORMAT_JSON;
	print_response(&out, &r, NULL, &o);
	assert_string_equal(
	    buf_str(&out),
	    "{\"header\":{\"cluster_id\":16763483504251046159,\"raft_term\":3},\"members\":[{"
	    "\"ID\":4733750815467854406,\"name\":\"S2\",\"peerURLs\":[\"http://"
	    "10.10.0.2:2380\"],\"clientURLs\":[\"http://10.20.0.2:2379\"]}]}\n");
	buf_clear(&out);
	o.format = FORMAT_FIELDS;
	print_response(&out, &r, NULL, &o);
	assert_non_null(
	    strstr(buf_str(&out),
		   "\"Revision\" : 0\n\"RaftTerm\" : 3\n\"ID\" : 4733750815467854406\n\"Name\" : "
		   "\"S2\"\n\"PeerURL\" : \"http://10.10.0.2:2380\"\n\"ClientURL\" : "
		   "\"http://10.20.0.2:2379\"\n\"IsLearner\" : false\n\n"));
	buf_free(&out);
}

static void health(void **state)
{
	const struct bytes names[] = {BYTES("S1"), BYTES("S3")};
	const int64_t took[] = {0, 5000};
	const char *const errors[] = {"", "context deadline exceeded"};
	struct endpoint_answers all = {.n = 2, .names = names, .took_ms = took};
	struct buf out = {0};

	(void)state;
	print_endpoint_health(&out, &all, errors, FORMAT_SIMPLE);
	assert_string_equal(
	    buf_str(&out),
	    "S1 is healthy: successfully committed proposal: took = 0s\n"
	    "S3 is unhealthy: failed to commit proposal: context deadline exceeded\n");
	buf_clear(&out);
	print_endpoint_health(&out, &all, errors, FORMAT_JSON);
	assert_string_equal(
	    buf_str(&out),
	    "[{\"endpoint\":\"S1\",\"health\":true,\"took\":\"0s\"},{\"endpoint\":\"S3\","
	    "\"health\":false,\"took\":\"5s\",\"error\":\"context deadline exceeded\"}]\n");
	buf_free(&out);
}

/* go-humanize's own examples and its rounding. */
static void sizes(void **state)
{
	static const struct {
		int64_t n;
		const char *text;
	} pairs[] = {{0, "0 B"},	  {9, "9 B"},
		     {10, "10 B"},	  {999, "999 B"},
		     {1000, "1.0 kB"},	  {20480, "20 kB"},
		     {28672, "29 kB"},	  {9949, "9.9 kB"},
		     {82854982, "83 MB"}, {2147483648, "2.1 GB"}};

	(void)state;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		struct buf out = {0};
		print_size(&out, pairs[i].n);
		assert_string_equal(buf_str(&out), pairs[i].text);
		buf_free(&out);
	}
}

static void formats(void **state)
{
	struct response r = {.kind = REQ_PUT, .header = header};
	struct print_options o = {.format = FORMAT_TABLE};
	struct buf out = {0};

	(void)state;
	assert_int_equal(print_format_of(BYTES("json")), FORMAT_JSON);
	assert_int_equal(print_format_of(BYTES("JSON")), FORMAT_UNKNOWN);
	assert_int_equal(print_format_of(BYTES("")), FORMAT_UNKNOWN);
	assert_false(print_response(&out, &r, NULL, &o));
	assert_int_equal(out.n, 0);
	r.kind = REQ_MOVE_LEADER;
	o = (struct print_options){.format = FORMAT_SIMPLE, .id = 0x8211, .target = 0x91bc};
	assert_true(print_response(&out, &r, NULL, &o));
	assert_string_equal(buf_str(&out), "Leadership transferred from 8211 to 91bc\n");
	buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(endpoint_status), cmocka_unit_test(endpoint_status_without_a_leader),
	    cmocka_unit_test(members),	       cmocka_unit_test(health),
	    cmocka_unit_test(sizes),	       cmocka_unit_test(formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
