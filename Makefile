# etcdscope.  `make help` lists the targets; V=1 shows every command.
#
# No list of sources stands here: what lies in src/*/*.c is compiled, all of it but main.c goes into one archive,
# and the program, the tests and the benchmark are linked against that.  A variant (make asan) is the same
# makefile with another folder B.  CFLAGS, CPPFLAGS, LDFLAGS and LDLIBS belong to whoever builds; what the
# project needs itself is in the es_ variables.

B          ?= build
PREFIX     ?= /usr/local
bindir     ?= $(PREFIX)/bin
datadir    ?= $(PREFIX)/share
mandir     ?= $(datadir)/man
docdir     ?= $(datadir)/doc/etcdscope
INSTALL    ?= install
PKG_CONFIG ?= pkg-config
CFLAGS     ?= -O2 -g

MAKEFLAGS += --no-print-directory
Q = $(if $(V),,@)
say = @$(if $(V),:,printf '  %-5s %s\n' $(1) $(2))

# --- flags

is_clang := $(shell $(CC) --version 2>/dev/null | grep -c clang)
# -Wnull-dereference is left out: with -O2 it warns of look-ups that cannot fail, depending on what was inlined.
warnings = -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wformat=2 -Wstrict-prototypes \
	-Wmissing-prototypes -Wcast-qual -Wwrite-strings -Wundef -Wvla -Wpointer-arith
warnings_gcc = -Wduplicated-cond -Wduplicated-branches -Wlogical-op

# What pkg-config knows, else the plain names.  ncurses' own feature macros would hide what _GNU_SOURCE shows.
libs = $(shell $(PKG_CONFIG) --libs $(1) 2>/dev/null || echo $(2))
heads = $(filter-out -D_XOPEN_SOURCE=% -D_DEFAULT_SOURCE,$(shell $(PKG_CONFIG) --cflags $(1) 2>/dev/null))
pkgs = ncursesw libedit libcjson

es_cppflags := -D_GNU_SOURCE -DNCURSES_WIDECHAR=1 -Isrc -I$(B) $(call heads,$(pkgs))
es_cflags   := -std=c11 $(warnings) $(if $(filter 0,$(is_clang)),$(warnings_gcc))
es_ldlibs   := $(call libs,$(pkgs),-lncursesw -ltinfo -ledit -lcjson) -lm
test_ldlibs := $(call libs,cmocka,-lcmocka)
vterm_ldlibs := $(call libs,vterm,-lvterm)
compile = $(CC) $(es_cppflags) $(CPPFLAGS) $(es_cflags) $(CFLAGS)

# --- sources

src     := $(sort $(wildcard src/*/*.c))
headers := $(sort $(wildcard src/*/*.h))
main    := $(wildcard src/main.c)
demos   := $(sort $(wildcard demos/*.scope))
themes  := $(sort $(wildcard themes/*.json))
man     := $(sort $(wildcard man/*.[1-9]))
own_scripts := $(sort $(wildcard tests/scripts/*.scope tests/cluster/*.scope tests/incidents/*.scope))
raft_tests := $(sort $(wildcard tests/raft/*.c))
bench   := $(sort $(wildcard tests/bench/*.c))
tests   := $(sort $(wildcard tests/unit/test_*.c tests/ui/test_*.c tests/demos/test_*.c))
support := $(filter-out $(tests),$(sort $(wildcard tests/unit/*.c tests/ui/*.c tests/demos/*.c)))
fuzzers := $(sort $(wildcard tests/fuzz/*.c))
all_c   := $(src) $(main) $(raft_tests) $(bench) $(tests) $(support) $(wildcard tests/tools/*.c)

obj = $(patsubst %.c,$(B)/obj/%.o,$(1))
program   = $(if $(main),$(B)/etcdscope)
archive   = $(B)/libetcdscope.a
embedded  = $(B)/demos_builtin.o
test_bins = $(patsubst tests/%.c,$(B)/tests/%,$(tests))
rafttest  = $(if $(raft_tests),$(B)/rafttest)
bench_bin = $(if $(bench),$(B)/etcdscope-bench)

# --- building

.PHONY: all
all: $(archive) $(program) $(if $(filter build,$(B)),compile_commands.json)

# A file that is rewritten only when what it says is new: objects depend on the flags, archives on the list.
remember = $(shell mkdir -p $(B) && { printf '%s\n' $(2) | cmp -s - $(B)/.$(1) || printf '%s\n' $(2) >$(B)/.$(1); })
quoted = '$(subst ','\'',$(1))'
$(call remember,flags,$(call quoted,$(compile)))
$(call remember,datadir,$(call quoted,$(datadir)))
$(call remember,files,$(call quoted,$(all_c) $(demos)))

# A compiler's warnings are kept beside the object; `make check` fails if there is one.
define compile_one
$(call say,CC,$<)
$(Q)mkdir -p $(@D)
$(Q)$(compile) $(es_extra) -MMD -MP -c -o $@ $< 2>$@.warn || { cat $@.warn >&2; exit 1; }
$(Q)cat $@.warn >&2
endef

$(B)/obj/%.o: %.c $(B)/.flags
	$(compile_one)

# The one file that knows where demos and themes are installed: another PREFIX compiles it again and nothing else.
$(B)/obj/src/session/demos.o: es_extra = -DETCDSCOPE_DATADIR='"$(datadir)/etcdscope"'
$(B)/obj/src/session/demos.o: $(B)/.datadir

# The demos, compiled in as a last resort.
$(B)/demos_builtin.o: $(B)/demos_builtin.c $(B)/.flags
	$(compile_one)
$(B)/demos_builtin.c: $(demos) tests/tools/embed.sh $(B)/.files
	$(Q)sh tests/tools/embed.sh demos $(demos) >$@

$(archive): $(call obj,$(src)) $(embedded) $(B)/.files
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

define link
$(call say,LD,$@)
$(Q)mkdir -p $(@D)
$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) $(1) $(es_ldlibs) $(LDLIBS)
endef

# All objects, not the archive: two functions of one name are noticed here.
$(B)/etcdscope: $(call obj,$(main) $(src)) $(embedded) $(B)/.files
	$(call link)
$(B)/rafttest: $(call obj,$(raft_tests)) $(archive)
	$(call link)
$(B)/etcdscope-bench: $(call obj,$(bench)) $(archive)
	$(call link)

# One binary a test file.  Other files of a test folder are help for its tests: an archive, used where asked for.
support_of = $(call obj,$(filter tests/$(1)/%,$(support)))
$(B)/tests/%/support.a: $(B)/.files
	$(Q)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)
$(B)/tests/unit/support.a: $(call support_of,unit)
$(B)/tests/ui/support.a: $(call support_of,ui)
$(B)/tests/demos/support.a: $(call support_of,demos)
$(B)/tests/unit/%: $(B)/obj/tests/unit/%.o $(B)/tests/unit/support.a $(archive)
	$(call link,$(test_ldlibs))
$(B)/tests/ui/%: $(B)/obj/tests/ui/%.o $(B)/tests/ui/support.a $(archive)
	$(call link,$(test_ldlibs) $(vterm_ldlibs) -lutil)
$(B)/tests/demos/%: $(B)/obj/tests/demos/%.o $(B)/tests/demos/support.a $(archive)
	$(call link,$(test_ldlibs))
.SECONDARY:

compile_commands.json: $(B)/.flags $(B)/.files
	$(Q)sh tests/tools/compile-commands.sh $(call quoted,$(compile)) $(all_c) >$@

-include $(patsubst %.o,%.d,$(call obj,$(all_c)) $(embedded))

.PHONY: tests
tests: all $(rafttest) $(test_bins) $(bench_bin) $(B)/man-tables

$(B)/man-tables: $(B)/obj/tests/tools/man-tables.o $(archive)
	$(call link)

# --- every day

.PHONY: run check update format gdb help
run:
	@.ci/deps run
	$(Q)$(MAKE) all
	@tests/tools/run-demo.sh $(B)/etcdscope $(DEMO)

# T=name picks tests by a part of their names.
check:
	@.ci/deps check
	$(Q)$(MAKE) -k tests || true
	$(Q)$(if $(and $(T),$(if $(findstring asan,$(T)),,no)),,$(MAKE) -k B=build/asan $(asan_flags) all >/dev/null || true)
	@CC='$(CC)' MAKE='$(MAKE)' tests/run -b $(B) $(T)

# Records again what scripts of ours print; read the difference before it is committed.
update: all
	$(B)/etcdscope run --update --trace $(demos)
	$(if $(own_scripts),$(B)/etcdscope run --update $(own_scripts))
	@tests/tools/readme-picture.sh $(B)/etcdscope >$(B)/page && { cmp -s $(B)/page README.md || cp $(B)/page README.md; }
	git --no-pager diff --stat -- demos tests README.md

format:
	clang-format -i $(all_c) $(headers) $(wildcard tests/*/*.h) $(fuzzers)

gdb: all
	gdb -x tests/tools/etcdscope.gdb --args $(B)/etcdscope $(ARGS)

help:
	@sed -n 's/^#: //p' $(firstword $(MAKEFILE_LIST))

#: make                    build/etcdscope and compile_commands.json
#: make run [DEMO=N]       starts it (installs what is missing first)
#: make check [T=NAME]     all tests, or those whose name contains NAME
#: make update             records demos, scripts and the README's picture again
#: make asan               the tests with address and undefined-behaviour checks
#: make mutants [N=NUMBER] changes one rule of Raft at a time: a test must notice each
#: make lint               compilers, static analysis, manual pages, layers
#: make layers             includes that do not go down
#: make format             clang-format over all sources
#: make bench              times, one `metric value unit` a line;  make bench-count: instructions
#: make bench-bounds       makes today's instructions the bounds of `make check`
#: make sim SEEDS=A..B      random clusters and faults, every invariant checked
#: make real               scripts for one member on a real etcd (installs Debian's) and here, side by side
#: make real-random N= SEED=  the same with N random commands
#: make fuzz F=NAME        one fuzz target of tests/fuzz (TIME=60 seconds)
#: make gdb [ARGS=...]     the program under gdb with printers
#: make man                puts the tables of the program into the manual pages
#: make docs               the manual as HTML, in build/docs
#: make install uninstall  DESTDIR= PREFIX= bindir= mandir= datadir=
#: make clean              removes build/

# --- before handing in

asan_flags = CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined'

.PHONY: asan lint layers check-headers check-clang
asan:
	@.ci/deps check
	$(Q)$(MAKE) -k B=build/asan $(asan_flags) tests || true
	@CC='$(CC)' MAKE='$(MAKE)' tests/run -a -b build/asan $(T)

layers:
	@sh tests/tools/layers.sh

check-headers:
	$(Q)for h in $(headers); do echo "#include \"$${h#src/}\"" | \
		$(compile) -Werror -fsyntax-only -x c - || { echo "$$h does not compile alone"; exit 1; }; done

check-clang:
	$(Q)bad=0; for c in $(all_c); do \
		clang $(es_cppflags) -std=c11 $(warnings) -Werror -fsyntax-only $$c || bad=1; done; exit $$bad

# It does not know that check_that() ends the program, that initialisers in braces have an order, that a list may end
# with NULL, and that a literal in braces may stand behind a question mark.
cppcheck_off = missingIncludeSystem normalCheckLevelMaxBranches nullPointerRedundantCheck unknownEvaluationOrder \
	arrayIndexThenCheck internalAstError
lint: layers check-headers check-clang compile_commands.json
	$(Q)mandoc -Tlint -W warning $(man)
	$(Q)cppcheck --quiet --std=c11 --enable=warning,portability,performance --inline-suppr --error-exitcode=1 \
		$(foreach s,$(cppcheck_off),--suppress=$(s)) -Isrc -j2 src
	$(Q)printf '%s\0' $(src) $(main) | xargs -0 -n 4 -P 2 clang-tidy --quiet -p . --extra-arg=-Wno-unknown-warning-option

# --- now and then

.PHONY: mutants
mutants: $(rafttest) $(addprefix $(B)/tests/unit/,test_raft_rules test_sim test_cluster_leader test_cluster_members \
		test_cluster_snapshot)
	@CC='$(CC)' sh tests/raft/mutants.sh $(B) $(N)

.PHONY: bench bench-count bench-bounds sim fuzz docs man real real-random
bench: $(bench_bin)
	@$(bench_bin)
bench-count: $(bench_bin)
	@CC='$(CC)' tests/bench/count.sh $(bench_bin)
bench-bounds: $(bench_bin)
	@CC='$(CC)' tests/bench/count.sh $(bench_bin) >$(B)/counts && cp $(B)/counts tests/bench/bounds
	git --no-pager diff -- tests/bench/bounds

SEEDS ?= 1..10000
sim: all
	$(B)/etcdscope sim --seeds=$(SEEDS)

cases = $(if $(ETCDSCOPE_CASES),$(ETCDSCOPE_CASES),../shared)/conformance/single
real: all
	@.ci/deps real
	@tests/real/real.py $(wildcard $(cases)/*.scope) $(demos) $(own_scripts)
SEED ?= 1
real-random: all
	@.ci/deps real
	@tests/real/real.py --random=$(or $(N),1000) --seed=$(SEED)

TIME ?= 60
# libedit leaves its terminal's description behind at every end
fuzz_env = $(if $(filter keys,$(F)),ASAN_OPTIONS=detect_leaks=0)
fuzz:
	$(Q)$(if $(F),,echo "F= one of: $(notdir $(fuzzers:.c=))"; exit 2)
	$(Q)$(MAKE) B=build/fuzz CC=clang CFLAGS='-O1 -g -fsanitize=fuzzer-no-link,address,undefined' build/fuzz/libetcdscope.a
	$(Q)mkdir -p build/fuzz/$(F).corpus && cp $(demos) $(themes) build/fuzz/$(F).corpus
	clang $(es_cppflags) -std=c11 -O1 -g -fsanitize=fuzzer,address,undefined -o build/fuzz/$(F) \
		tests/fuzz/$(F).c build/fuzz/libetcdscope.a $(es_ldlibs)
	$(fuzz_env) build/fuzz/$(F) -max_total_time=$(TIME) -max_len=4096 build/fuzz/$(F).corpus

man: $(B)/man-tables
	$(Q)for m in $(man); do $< $$m >$(B)/page && { cmp -s $(B)/page $$m || cp $(B)/page $$m; } || exit 1; done

docs:
	$(Q)mkdir -p $(B)/docs
	$(Q)for m in $(man); do mandoc -Thtml -O man=%N.%S.html $$m >$(B)/docs/$$(basename $$m).html || exit 1; done
	@echo $(B)/docs

# --- installing

.PHONY: install uninstall clean
install: all
	$(INSTALL) -d '$(DESTDIR)$(bindir)' '$(DESTDIR)$(mandir)/man1' '$(DESTDIR)$(mandir)/man5' '$(DESTDIR)$(mandir)/man7' \
		'$(DESTDIR)$(datadir)/etcdscope/demos' '$(DESTDIR)$(datadir)/etcdscope/themes' '$(DESTDIR)$(docdir)'
	$(INSTALL) -m 755 $(B)/etcdscope '$(DESTDIR)$(bindir)/etcdscope'
	$(INSTALL) -m 644 $(filter %.1,$(man)) '$(DESTDIR)$(mandir)/man1'
	$(INSTALL) -m 644 $(filter %.5,$(man)) '$(DESTDIR)$(mandir)/man5'
	$(INSTALL) -m 644 $(filter %.7,$(man)) '$(DESTDIR)$(mandir)/man7'
	$(INSTALL) -m 644 $(demos) '$(DESTDIR)$(datadir)/etcdscope/demos'
	$(INSTALL) -m 644 $(themes) '$(DESTDIR)$(datadir)/etcdscope/themes'
	$(INSTALL) -m 644 README.md LICENSE '$(DESTDIR)$(docdir)'

uninstall:
	rm -f '$(DESTDIR)$(bindir)/etcdscope' $(patsubst man/%.1,'$(DESTDIR)$(mandir)/man1/%.1',$(filter %.1,$(man))) \
		$(patsubst man/%.5,'$(DESTDIR)$(mandir)/man5/%.5',$(filter %.5,$(man))) \
		$(patsubst man/%.7,'$(DESTDIR)$(mandir)/man7/%.7',$(filter %.7,$(man)))
	rm -rf '$(DESTDIR)$(datadir)/etcdscope' '$(DESTDIR)$(docdir)'

clean:
	rm -rf build compile_commands.json
