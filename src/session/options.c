#include "session/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/mistakes.h"

const char options_help[] =
    "usage: etcdscope [OPTIONS] [SCRIPT]     the screen; with a script, ready to step through it\n"
    "       etcdscope demo [N|NAME]          the screen with a demo\n"
    "       etcdscope repl                   the prompt alone\n"
    "       etcdscope run FILE...            scripts without a screen (-: standard input)\n"
    "       etcdscope sim [--seeds=A..B]     random faults and clients, every invariant watched\n"
    "       etcdscope theme --check NAME     contrast and colour-blind distances of a theme\n"
    "\n"
    "options:\n"
    "  --members=N          members of the cluster, 1 to 9 (3)\n"
    "  --seed=N             seed of everything that chance decides (1)\n"
    "  --theme=NAME         dark, light, contrast, mono, page, or a file\n"
    "  --color=HOW          16, 256, true or never\n"
    "  --check=WHEN         watch what etcd promises: off, step (at each event) or end;\n"
    "                       step, but end in run\n"
    "  --ascii              draw with the characters of a typewriter only\n"
    "  --plain              sentences instead of the screen\n"
    "  --restore            bring back the session that ended badly\n"
    "  -h, --help           this text\n"
    "  -V, --version        the version\n"
    "\n"
    "options of run:\n"
    "  --transcript         print the whole script again, with its output\n"
    "  --trace[=LEVEL]      print what happened too: story, raft or all\n"
    "  --verify             compare with the output recorded in the scripts\n"
    "  --update             record the output in the scripts\n"
    "  -w, --write-out=FORMAT  simple, json, fields or table, where a command does not say\n"
    "\n"
    "In the screen `?` shows the keys; everywhere `help` explains the commands.\n"
    "Exit status: 0 all went well, 1 a verification failed, 2 a wrong option or script.\n";

enum {
	OPT_THEME = 256,
	OPT_COLOR,
	OPT_ASCII,
	OPT_PLAIN,
	OPT_RESTORE,
	OPT_SEED,
	OPT_MEMBERS,
	OPT_CHECK,
	OPT_TRANSCRIPT,
	OPT_TRACE,
	OPT_VERIFY,
	OPT_UPDATE
};

static const struct option table[] = {
    {"theme", required_argument, NULL, OPT_THEME},
    {"color", required_argument, NULL, OPT_COLOR},
    {"ascii", no_argument, NULL, OPT_ASCII},
    {"plain", no_argument, NULL, OPT_PLAIN},
    {"restore", no_argument, NULL, OPT_RESTORE},
    {"seed", required_argument, NULL, OPT_SEED},
    {"members", required_argument, NULL, OPT_MEMBERS},
    {"check", optional_argument, NULL, OPT_CHECK},
    {"transcript", no_argument, NULL, OPT_TRANSCRIPT},
    {"trace", optional_argument, NULL, OPT_TRACE},
    {"verify", no_argument, NULL, OPT_VERIFY},
    {"update", no_argument, NULL, OPT_UPDATE},
    {"write-out", required_argument, NULL, 'w'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

/* What was given, for the rules about what goes with what. */
struct given {
	bool check; /* --check alone */
	bool check_when, run_only, output_mode;
	const char *mode_name; /* --transcript, --verify, --update: the one given */
};

static bool one_of(const char *value, const char *const *values)
{
	for (; *values; values++)
		if (strcmp(value, *values) == 0)
			return true;
	return false;
}

static bool output_mode(struct options *o, struct given *g, enum run_mode mode, const char *name,
			struct buf *err)
{
	if (g->mode_name && o->run.mode != mode) {
		buf_printf(err, "%s and %s exclude each other: give one of them", g->mode_name,
			   name);
		return false;
	}
	o->run.mode = mode;
	g->mode_name = name;
	g->run_only = true;
	return true;
}

static bool set_trace(struct options *o, struct given *g, const char *level, struct buf *err)
{
	int l = level ? trace_level_of(level) : TRACE_STORY;

	if (l < 0) {
		buf_printf(err, "--trace=%s is no level: story, raft or all", level);
		return false;
	}
	o->run.trace = (enum trace_level)l;
	g->run_only = true;
	return true;
}

static bool set_format(struct options *o, struct given *g, const char *format, struct buf *err)
{
	static const char *const formats[] = {"simple", "json", "fields", "table", NULL};

	if (!one_of(format, formats)) {
		buf_printf(err, "-w %s is no format: simple, json, fields or table", format);
		return false;
	}
	o->run.format = format;
	g->run_only = true;
	return true;
}

/* --check of theme has no value; that of the others says when. */
static bool set_check(struct options *o, struct given *g, const char *when, struct buf *err)
{
	struct buf ignored = {0};

	if (!when)
		return g->check = true;
	g->check_when = true;
	bool ok = config_set(&o->run.cfg, "check", when, &ignored);
	if (!ok)
		buf_printf(err, "--check=%s is not known: off, step or end", when);
	buf_free(&ignored);
	return ok;
}

static bool set_color(struct options *o, const char *color, struct buf *err)
{
	static const char *const colors[] = {"16", "256", "true", "never", NULL};

	o->color = color;
	if (one_of(color, colors))
		return true;
	buf_printf(err, "--color=%s is not known: 16, 256, true or never", color);
	return false;
}

/* The option that was meant, with few letters wrong; NULL: none. */
static const char *nearest(struct bytes word)
{
	const char *best = NULL;
	size_t closest = SIZE_MAX;

	for (const struct option *t = table; t->name; t++) {
		size_t d = mistakes_between(word, bytes_of(t->name));
		if (d < closest && mistakes_are_few(word, d)) {
			closest = d;
			best = t->name;
		}
	}
	return best;
}

static bool refuse(char **argv, int c, struct buf *err)
{
	const char *word = argv[optind - 1];
	int n = (int)strcspn(word, "="); /* without its value */

	if (c == ':') {
		buf_printf(err, "%s wants a value: %s%s", word, word,
			   word[1] == '-' ? "=VALUE" : " FORMAT");
	} else if (optopt && optopt < 256) {
		buf_printf(err, "there is no option -%c: `etcdscope --help` lists them", optopt);
	} else if (optopt) {
		buf_printf(err, "%.*s takes no value: leave out what follows the =", n, word);
	} else {
		const char *guess = n > 2 && strncmp(word, "--", 2) == 0
					? nearest((struct bytes){word + 2, (size_t)n - 2})
					: NULL;
		buf_printf(err, "there is no option %.*s: ", n, word);
		if (guess)
			buf_printf(err, "did you mean --%s? ", guess);
		buf_puts(err, "`etcdscope --help` lists them");
	}
	return false;
}

static bool take(struct options *o, struct given *g, int c, char **argv, struct buf *err)
{
	switch (c) {
	case OPT_THEME:
		o->theme = optarg;
		return true;
	case OPT_COLOR:
		return set_color(o, optarg, err);
	case OPT_ASCII:
		return o->ascii = true;
	case OPT_PLAIN:
		return o->plain = true;
	case OPT_RESTORE:
		return o->restore = true;
	case OPT_SEED:
		return config_set(&o->run.cfg, "seed", optarg, err);
	case OPT_MEMBERS:
		return config_set(&o->run.cfg, "members", optarg, err);
	case OPT_CHECK:
		return set_check(o, g, optarg, err);
	case OPT_TRANSCRIPT:
		return output_mode(o, g, RUN_TRANSCRIPT, "--transcript", err);
	case OPT_TRACE:
		return set_trace(o, g, optarg, err);
	case OPT_VERIFY:
		return output_mode(o, g, RUN_VERIFY, "--verify", err);
	case OPT_UPDATE:
		return output_mode(o, g, RUN_UPDATE, "--update", err);
	case 'w':
		return set_format(o, g, optarg, err);
	case 'h':
		o->mode = MODE_HELP;
		return true;
	case 'V':
		o->mode = MODE_VERSION;
		return true;
	default:
		return refuse(argv, c, err);
	}
}

/* The first word is a mode's name or a script's. */
static void choose_mode(struct options *o)
{
	static const struct {
		const char *word;
		enum mode mode;
	} modes[] = {
	    {"demo", MODE_DEMO}, {"repl", MODE_REPL}, {"run", MODE_RUN}, {"theme", MODE_THEME}};

	if (o->mode != MODE_SCREEN || o->nwords == 0)
		return;
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (strcmp(o->words[0], modes[i].word) == 0) {
			o->mode = modes[i].mode;
			o->words++;
			o->nwords--;
			return;
		}
}

static bool wrong(struct buf *err, const char *text)
{
	buf_puts(err, text);
	return false;
}

static bool check_run(const struct options *o, struct buf *err)
{
	if (o->nwords == 0)
		return wrong(err, "run wants scripts: etcdscope run FILE...   (-: standard input)");
	for (size_t i = 0; i < o->nwords; i++)
		if (o->run.mode == RUN_UPDATE && strcmp(o->words[i], "-") == 0)
			return wrong(err, "--update cannot write to standard input: name the file");
	return true;
}

static bool check_words(const struct options *o, const struct given *g, struct buf *err)
{
	if (g->run_only && o->mode != MODE_RUN)
		return wrong(err, "--transcript, --trace, --verify, --update and -w belong to run: "
				  "etcdscope run FILE...");
	if (g->check != (o->mode == MODE_THEME))
		return wrong(err, g->check
				      ? "--check belongs to theme: etcdscope theme --check NAME"
				      : "theme checks one: etcdscope theme --check NAME");
	if (o->restore && (o->mode == MODE_RUN || o->mode == MODE_THEME))
		return wrong(err, "--restore belongs to a session: etcdscope --restore, or "
				  "etcdscope --restore repl");
	switch (o->mode) {
	case MODE_RUN:
		return check_run(o, err);
	case MODE_THEME:
		return o->nwords == 1 ||
		       wrong(err, "one theme is checked at a time: etcdscope theme --check NAME");
	case MODE_REPL:
		return o->nwords == 0 ||
		       wrong(err, "repl takes no script: etcdscope run FILE runs one");
	case MODE_DEMO:
		return o->nwords <= 1 ||
		       wrong(err, "demo takes one number or name: etcdscope demo 1");
	default:
		if (o->nwords && strcmp(o->words[0], "sim") == 0)
			return wrong(err, "sim comes first and has options of its own: "
					  "etcdscope sim --seeds=A..B");
		return o->nwords <= 1 ||
		       wrong(err,
			     "one script is shown at a time: etcdscope run FILE... runs several");
	}
}

bool options_parse(struct options *o, int argc, char **argv, struct buf *err)
{
	struct given g = {0};
	int c;

	*o = (struct options){.run.format = "simple"};
	config_init(&o->run.cfg);
	opterr = 0;
	while ((c = getopt_long(argc, argv, ":w:hV", table, NULL)) != -1)
		if (!take(o, &g, c, argv, err))
			return false;
	o->words = argv + optind;
	o->nwords = (size_t)(argc - optind);
	choose_mode(o);
	/* Watching each event makes a put half as long again; nobody waits for it at a prompt. */
	if (!g.check_when)
		o->run.cfg.check = o->mode == MODE_RUN ? CHECK_END : CHECK_STEP;
	if (o->mode == MODE_HELP || o->mode == MODE_VERSION)
		return true;
	return check_words(o, &g, err);
}
