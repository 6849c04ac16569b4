# Fuzz with AFL++, and run the same targets as replays in every build. A target
# is a file tests/fuzz/fuzz_NAME.c. The fuzz variant includes sanitizers.

FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_BINS    := $(FUZZ_TARGETS:%=$(T)/fuzz-%)
FUZZ_SHARED  := $(addprefix tests/fuzz/,driver.c input.c mutator.c threads.c)
FUZZ_WRAP    := -Wl,--wrap=pthread_create,--wrap=pthread_join
FUZZ_DIFF    := $(addprefix tests/fuzz/,diff_run.c page_check.c)
FUZZ_SRC     := $(FUZZ_SHARED) $(FUZZ_DIFF) $(FUZZ_TARGETS:%=tests/fuzz/fuzz_%.c)
FUZZ_SEEDS   := build/fuzz/seeds
# Sanitizers detect what a release build does not, so sanitized builds run all
# rounds, and mutations.
FUZZ_MUTATE  ?= $(if $(filter release,$(VARIANT)),1,4)
FUZZ_ROUNDS  ?= $(if $(filter release,$(VARIANT)),2)
TARGET       ?= scan
TIME         ?=

.PHONY: fuzz fuzz-smoke fuzz-replay fuzz-seeds fuzz-bins fuzz-cov

ifeq ($(VARIANT),fuzz)
export AFL_USE_ASAN := 1
export AFL_USE_UBSAN := 1
export AFL_QUIET := 1
endif

$(T)/fuzz-validate: $(call obj,$(VALIDATE_LIB))
$(T)/fuzz-diff: $(call obj,$(DIFF_LIB))
$(T)/fuzz-convert: $(call obj,$(CONVERT_LIB))
$(T)/fuzz-transform: $(call obj,$(CONVERT_LIB) $(VALIDATE_LIB))
$(T)/fuzz-tables: $(call obj,$(CONVERT_LIB))
$(T)/fuzz-secrets: $(call obj,$(CONVERT_LIB))
$(T)/fuzz-graph: $(call obj,$(FUZZ_DIFF) $(DIFF_LIB))
$(T)/fuzz-page $(T)/fuzz-saved: $(call obj,$(FUZZ_DIFF) $(DIFF_LIB) $(VALIDATE_LIB))
$(T)/fuzz-%: $(B)/obj/tests/fuzz/fuzz_%.o $(call obj,$(FUZZ_SHARED)) $(LIB)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(ALL_LDFLAGS) $(FUZZ_WRAP) -o $@ $(filter %.o,$^) $(LIB) \
		$(PKG_LIBS) -lm
.SECONDARY: $(call obj,$(FUZZ_SRC))

# afl-fuzz loads this file, so it is neither instrumented nor built with
# sanitizers.
build/fuzz/mutator.so: tests/fuzz/mutator.c tests/fuzz/mutator.h
	@mkdir -p $(@D)
	cc -std=c17 -O2 -fPIC -shared $(WARN) -I. -o $@ $<

fuzz-bins: $(FUZZ_BINS)

fuzz-seeds: $(FIXTURE_BIN) $(PLANTED_BIN) $(PROGRAMS)
	@PLANTED=$(PLANTED_BIN) tests/fuzz/seeds $(FIXTURE_BIN) $(FUZZ_SEEDS) $(B)

fuzz: ## fuzz one target with AFL++ (TARGET=scan TIME=60)
	@tests/fuzz/run $(or $(TIME),60) $(TARGET)

fuzz-smoke: ## fuzz all targets for a while each (TIME=20)
	@tests/fuzz/run $(or $(TIME),20) $(FUZZ_TARGETS)

fuzz-replay: fuzz-bins fuzz-seeds ## seeds, found inputs, some mutations of each
	@echo "== fuzz targets, replayed ($(VARIANT))"
	@MUTATE=$(FUZZ_MUTATE) ROUNDS=$(FUZZ_ROUNDS) JOBS=$(TEST_JOBS) \
		tests/fuzz/replay $(T) $(FUZZ_SEEDS) $(FUZZ_TARGETS)

fuzz-cov: ## lines of common/ that seeds and what fuzzing found reach
	@$(MAKE) --no-print-directory VARIANT=cov fuzz-bins fuzz-seeds
	@tests/fuzz/coverage build/cov $(FUZZ_SEEDS) $(FUZZ_TARGETS)

-include $(patsubst %.o,%.d,$(call obj,$(FUZZ_SRC)))
