# Tests. `make check` runs the unit suites, the command-line cases and the real
# dumps. Single parts and slow tests have targets of their own, and .ci/run runs
# all of them. In addition to the programs' libraries they need Check, jq, zstd
# and gzip.

T            := $(B)/tests
UNIT_BIN     := $(T)/unit
FIXTURE_BIN  := $(T)/fixture
MUTATE_BINS  := $(T)/mutate-validate $(T)/mutate-diff $(T)/mutate-convert
PAYLOAD_BIN  := $(T)/payload
CRAFTED_BIN  := $(T)/crafted
PLANTED_BIN  := $(T)/planted
FIGURES_BIN  := $(T)/graph-figures
FAKE_AGENT_BIN := $(T)/fake-agent
# These programs trace a program in its sandbox, and check what --salvage
# recovered.
PLAIN_BINS := $(T)/refusals $(T)/without $(T)/survivors
# Suites of components that the build leaves out.
PACK_SUITES  := pack pack_helper pack_lost pack_symbols pack_table_counts \
	convert_salvage random_stream
TEXT_SUITES  := agent_stream strings_memory text text_print text_runs
NO_SUITES    := $(if $(filter no,$(PACK)),$(PACK_SUITES)) \
	$(if $(filter no,$(TEXT)),$(TEXT_SUITES))
UNIT_SRC     := $(filter-out $(NO_SUITES:%=tests/unit/test_%.c),$(UNIT_SRC))
UNIT_TESTS   := $(filter tests/unit/test_%,$(UNIT_SRC))
SUITES       := $(patsubst tests/unit/test_%.c,%,$(UNIT_TESTS))
# The slowest suites start first, so that all processors are busy until the end.
# `make check-unit TIMES=12` prints the slowest ones.
LONG_SUITES  := diff_waste id_set_windows library graph scan paths io_damage pack io \
	fixtures convert_salvage sink id_set sink_gzip_out ordered_pass \
	pack_lost text_runs text_print dominators edges owners
# Suites that start no thread, so ThreadSanitizer need not run them. A new suite
# is not on the list. If a listed suite starts a thread, it fails.
ALONE_SUITES := agent_stream answer batch_granules builder class_name cli collections convert_proof decimal diff_name_prescan escape fixtures foreign_file \
		id_table json_text model model_classes offset_bins options pack_symbols pack_table_counts random_stream suspects \
		string_run text
RUN_SUITES   := $(filter-out $(if $(filter tsan,$(VARIANT)),$(ALONE_SUITES)) \
		$(NO_SUITES), $(LONG_SUITES) $(filter-out $(LONG_SUITES),$(SUITES)))
# The builder as a library, without the program that writes fixtures.
BUILDER_LIB  := $(filter-out tests/builder/fixture.c,$(BUILDER_SRC))
CRAFTED_SRC  := tests/crafted.c tests/crafted_memory.c tests/crafted_pack.c tests/crafted_waste.c
# Code that several checks over very many cases share.
SWEEP_SHARED := tests/sweep/mutation.c tests/sweep/turns.c
TEST_OBJ     := $(call obj,$(UNIT_SRC) $(BUILDER_SRC) $(SWEEP_SHARED) \
		tests/mutate.c tests/payload.c $(CRAFTED_SRC) tests/planted.c tests/survivors.c \
		tests/fake_agent.c tests/graph_figures.c)
CHECK_CFLAGS = $(shell $(PKG_CONFIG) --cflags check 2>/dev/null)
CHECK_LIBS   = $(shell $(PKG_CONFIG) --libs check 2>/dev/null || echo -lcheck)
TEST_JOBS    ?= 2
# Under a sanitizer, every time limit is multiplied by this factor.
TEST_PATIENCE := $(if $(filter release,$(VARIANT)),1,8)
# The time limits of unit tests are for an idle machine that runs one test at a
# time, so they are multiplied.
UNIT_PATIENCE := $(if $(filter release,$(VARIANT)),4,16)

.PHONY: deps check check-all check-components check-unit check-cli check-corpus \
	check-real check-asan check-cost check-harness check-json check-quick check-slow \
	check-tsan check-valgrind check-mutations test-programs

# The list of suites is generated from the names of the files.
$(T)/suites.def: FORCE
	@mkdir -p $(@D)
	@printf 'SUITE(%s)\n' $(SUITES) | cmp -s - $@ || \
		printf 'SUITE(%s)\n' $(SUITES) > $@

$(call obj,tests/unit/main.c): $(T)/suites.def
$(call obj,$(UNIT_SRC)): private ALL_CFLAGS += $(CHECK_CFLAGS) -I$(T)

# Calls that the suites watch or let fail.
UNIT_CALLS := pthread_create malloc calloc realloc
$(UNIT_BIN): $(call obj,$(UNIT_SRC) $(BUILDER_LIB) $(VALIDATE_LIB) \
		$(DIFF_LIB) $(CONVERT_LIB) $(LIB_SRC)) $(LIB)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(ALL_LDFLAGS) $(UNIT_CALLS:%=-Wl,--wrap=%) -o $@ $^ \
		$(CHECK_LIBS) $(PKG_LIBS) -lm

$(FIXTURE_BIN): $(call obj,$(BUILDER_SRC))
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(ALL_LDFLAGS) -o $@ $^

# A program and one more file, in which its main() has another name, for
# mutate.c.
$(B)/obj/tests/main-%.o: %/main.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) -Dmain=hp_program_main -Wno-missing-prototypes -MMD -MP \
		-c -o $@ $<

$(T)/mutate-validate: $(call obj,$(VALIDATE_LIB))
$(T)/mutate-diff: $(call obj,$(DIFF_LIB))
$(T)/mutate-convert: $(call obj,$(CONVERT_LIB))
$(T)/mutate-%: $(call obj,tests/mutate.c $(SWEEP_SHARED) $(BUILDER_LIB)) \
		$(B)/obj/tests/main-%.o $(LIB)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(PKG_LIBS) -lm
.SECONDARY: $(patsubst %,$(B)/obj/tests/main-%.o,validate diff convert)

$(PAYLOAD_BIN): $(call obj,tests/payload.c)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(ALL_LDFLAGS) -o $@ $^

$(CRAFTED_BIN): $(call obj,$(CRAFTED_SRC) $(BUILDER_LIB))
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(ALL_LDFLAGS) -o $@ $^

$(PLANTED_BIN): $(call obj,tests/planted.c $(BUILDER_LIB))
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(ALL_LDFLAGS) -o $@ $^

$(FIGURES_BIN): $(call obj,tests/graph_figures.c $(DIFF_LIB)) $(LIB)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) -lm

$(FAKE_AGENT_BIN): $(call obj,tests/fake_agent.c)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(ALL_LDFLAGS) -o $@ $^

$(T)/broken: tests/broken.c
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) -std=c17 -O1 -g $(WARN) -D_GNU_SOURCE -o $@ $<

# These tools are not tested themselves. Sanitizers, which also use ptrace,
# would disturb them.
$(PLAIN_BINS): $(T)/%: tests/%.c
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) -std=c17 -O1 -g $(WARN) -D_GNU_SOURCE -o $@ $<

test-programs: all $(FIXTURE_BIN) $(PAYLOAD_BIN) $(CRAFTED_BIN) \
		$(PLANTED_BIN) $(PLAIN_BINS) $(FAKE_AGENT_BIN) $(FIGURES_BIN) \
		$(BENCH)/timed

check: deps ## all tests: unit, command line, real dumps
	@$(MAKE) --no-print-directory check-all

# Command-line cases, the slowest first (`make check-cli TIMES=30` prints them).
# `make check` leaves the cases of SLOW_CASES to check-slow, which .ci/run runs.
SLOW_CASES := html-firefox html-chromium cost-twice linear-cost overflow \
	damage library convert-salvage-survivors convert-salvage-cost \
	diff-memory diff-sizes-jvm unpack-memory secrets-by-strings
LONG_CASES := json-schema-validate diff-agree convert-elements convert-plain validate-same \
	convert-compress convert-graph diff-pack diff-path manual \
	validate-memory text-cost unpatched diff-dominator \
	validate-class-details diff-suspects rows install validate-page \
	convert-tables-bad validate-text convert-damaged-container \
	convert-edges two-dumps diff-saved diff-page \
	convert-salvage-prefix diff-threads convert-salvage-shapes \
	pack-memory text-hostile validate-near-misses dialects validate-html \
	decompression-bomb convert-join-traces diff-holder convert-tables \
	convert-pack completions convert-strip-strings convert-references \
	convert-ndjson recipes-jvm diff-layout-jvm convert-null-dangling \
	convert-version-1.0 \
	convert-prune convert-text validate-broken sandbox convert-salvage \
	validate-options recipes saved-cost convert-profile diff-why convert-strip
ALL_CASES  := $(filter-out lib,$(patsubst tests/cli/%.sh,%,$(wildcard tests/cli/*.sh)))
# These are not slow, but they wait, or start a hundred processes, a JVM, node or
# python, or take two seconds for one option. No case that starts a JVM is quick.
NOT_QUICK  := convert-listen stalled-input convert-refuse validate-counts \
	changing-input convert-killed killed-hard diff-findings-jni \
	diff-page-numbers diff-waste-fills json-schema transcripts \
	convert-strings-shared convert-strip-matching diff-profiles \
	diff-object convert-salvage-cut mcp-hostile diff-widths runner-commands \
	$(filter %-jvm,$(ALL_CASES))
# These take half a second to two seconds each, 27 seconds of processor time in
# all, and detect no planted fault (make check-mutants) that a quick test misses.
NOT_QUICK  += convert-cut convert-keep convert-shareable convert-strings diff-ci \
	diff-estimate diff-examples diff-findings diff-html-graph diff-known \
	diff-references diff-root diff-shown diff-stacks diff-text diff-thread \
	diff-waste format-suffix hostile-formats mapping rows-tsv secrets \
	undescribed validate-dialects validate-graph validate-long-names \
	validate-rule-details validate-sarif
# Slow cases that check-quick runs nevertheless: each detects faults that no
# other quick test detects (make check-mutants).
QUICK_TOO := diff-path diff-dominator diff-why \
	convert-strip convert-salvage convert-text \
	convert-version-1.0 convert-prune diff-holder validate-broken \
	validate-options validate-text two-dumps
RUN_CASES  := $(LONG_CASES) $(filter-out $(LONG_CASES) $(SLOW_CASES),$(ALL_CASES))
# A renamed case must also be renamed in these lists, or it would be treated
# like any other case.
STALE_CASES := $(filter-out $(ALL_CASES),$(SLOW_CASES) $(LONG_CASES) $(NOT_QUICK) \
	$(QUICK_TOO))
$(if $(STALE_CASES),$(error there are no such cases: $(STALE_CASES)))

# check-quick runs the suites and cases on none of these lists, which take a
# third of a second each. Of a long suite it runs the test cases with the tag
# "quick" (SUITE:quick).
QUICK_SUITES := $(LONG_SUITES:%=%:quick) \
	$(filter-out $(LONG_SUITES) sandbox_calls,$(RUN_SUITES))
QUICK_CASES  := $(QUICK_TOO) $(filter-out $(LONG_CASES) $(SLOW_CASES) \
	$(NOT_QUICK),$(ALL_CASES))
# ONLY='NAME ...' limits check-quick to these suites and cases.
QUICK_SUITES := $(if $(ONLY),$(filter $(ONLY),$(QUICK_SUITES)),$(QUICK_SUITES))
QUICK_CASES  := $(if $(ONLY),$(filter $(ONLY),$(QUICK_CASES)),$(QUICK_CASES))
QUICK_NEEDS  := $(if $(QUICK_CASES),test-programs) $(if $(QUICK_SUITES),$(UNIT_BIN))
check-quick: $(QUICK_NEEDS) ## the quick suites and cases (ONLY='NAME ...')
ifeq ($(QUICK_SUITES)$(QUICK_CASES),)
	@echo "check-quick has none of: $(ONLY)"; exit 1
endif
ifneq ($(QUICK_SUITES),)
	@$(MAKE) --no-print-directory check-unit RUN_SUITES='$(QUICK_SUITES)'
endif
ifneq ($(QUICK_CASES),)
	@HPROF_QUICK=1 $(MAKE) --no-print-directory check-cli CASES='$(QUICK_CASES)'
endif

# Every part runs even if an earlier part failed; the worst result counts.
check-all: test-programs $(UNIT_BIN)
	@tests/totals "$(MAKE)" check-unit check-cli \
		check-corpus check-real fuzz-replay $(MORE_TARGETS)

check-unit: $(UNIT_BIN) ## unit tests (Check; CK_VERBOSITY=verbose)
	@echo "== unit tests ($(VARIANT))"
	@CK_TIMEOUT_MULTIPLIER=$(UNIT_PATIENCE) UNIT=$(UNIT_BIN) \
		JOBS=$(TEST_JOBS) ALONE="$(ALONE_SUITES)" \
		tests/unit/run $(RUN_SUITES)

check-cli: test-programs ## command-line cases (CASES='glob ...')
	@echo "== command-line cases ($(VARIANT))"
	@set -f; BUILD=$(B) JOBS=$(TEST_JOBS) \
		LIMIT=$$((600 * $(TEST_PATIENCE))) \
		tests/cli/run $(or $(CASES),$(RUN_CASES))

# Cases and suites that need packs or text are skipped. A third of the other suites
# and cases runs, another third each day, with a third of the dumps in their loops,
# because `make check` has run all of them.
check-components: ## builds without packs and text: unit tests, command line
	@PART=today $(MAKE) --no-print-directory PACK=no TEXT=no check-unit
	@PART=today HPROF_QUICK=1 $(MAKE) --no-print-directory PACK=no TEXT=no check-cli

check-slow: test-programs bench-tools ## what takes too long for check
	@echo "== slow cases ($(VARIANT))"
	@set -f; rc=0; export BUILD=$(B) JOBS=$(TEST_JOBS); \
	LIMIT=$$((600 * $(TEST_PATIENCE))) tests/cli/run $(SLOW_CASES) || rc=1; \
	SLOW=1 EVERY_WAY=$(if $(filter release,$(VARIANT)),1) tests/real/run || \
		rc=1; \
	exit $$rc

comma := ,
check-harness: test-programs $(T)/broken bench-tools ## broken programs, and cases that must notice (PART=today: a third)
	@echo "== can the cases fail?"
	@set -f; BUILD=$(B) JOBS=$(TEST_JOBS) BREAKAGES='$(subst $(comma), ,$(BREAKAGES))' \
		tests/check-harness $(CASES)

check-json: test-programs ## the JSON that all cases write against docs/schema
	@echo "== JSON ($(VARIANT))"
	@set -f; BUILD=$(abspath $(B)) JOBS=$(TEST_JOBS) tests/check-json $(CASES)

check-cost: test-programs bench-tools ## twice as much takes about twice the time, for every option (PART=today: a third)
	@echo "== cost ($(VARIANT))"
	@BUILD=$(B) JOBS=$(TEST_JOBS) PART=$(PART) tests/check-cost $(SHAPES)

check-corpus: all ## the dumps of corpus/ against their expectations
	@echo "== corpus ($(VARIANT))"
	@HPROF_BIN=$(abspath $(B)) corpus/check

check-real: test-programs ## real dumps of HPROF_REAL_DUMPS against their truth
	@echo "== real dumps ($(VARIANT))"
	@BUILD=$(B) JOBS=$(TEST_JOBS) tests/real/run

# Compare two builds whose outputs should be equal. OLD is a folder of older
# programs.
.PHONY: check-same
check-same: test-programs ## same outputs as OLD=folder's (SAME_QUICK=1: a part)
	@echo "== same as $(OLD)"
	@OLD="$(OLD)" NEW=$(B) JOBS=$(TEST_JOBS) tests/same/run

check-asan: ## the whole suite under AddressSanitizer and UBSan
	@$(MAKE) --no-print-directory VARIANT=asan check-all MORE_TARGETS=check-slow

check-tsan: ## the threaded parts under ThreadSanitizer (PART=today: a third)
	@$(MAKE) --no-print-directory VARIANT=tsan check-unit
	@$(MAKE) --no-print-directory VARIANT=tsan check-cli \
		CASES='validate-same diff-threads convert-compress convert-gzip-layout convert-strip*'

check-valgrind: test-programs ## a few fixtures under valgrind memcheck
	@echo "== valgrind ($(VARIANT))"
	@BUILD=$(B) tests/valgrind

ifeq ($(VARIANT),asan)
check-mutations: $(MUTATE_BINS)
	@echo "== mutations"
	@rc=0; for m in $(MUTATE_BINS); do $$m --seconds=0 tiny || rc=1; \
		$$m $(MUTATIONS) || rc=1; done; exit $$rc
else
check-mutations: ## prefixes, flipped bytes, extreme lengths under ASan
	@$(MAKE) --no-print-directory VARIANT=asan check-mutations
endif

-include $(TEST_OBJ:.o=.d) $(wildcard $(B)/obj/tests/main-*.d)

-include tests/fuzz/fuzz.mk tests/sweep/sweep.mk tests/fault/fault.mk \
	tests/mutants/mutants.mk
