# HPROF toolkit: hprof-validate, hprof-diff and hprof-convert over one library.
# `make help` lists the targets. Every variant has a folder of its own below
# build/, so that objects of different flags never meet.

VARIANT ?= release
B       := build/$(VARIANT)
PREFIX  ?= /usr/local
DESTDIR ?=
VERSION := 0.1.0

PKG_CONFIG ?= pkg-config
LIBS       := libxxhash libzstd libdeflate libisal jansson
PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(LIBS) 2>/dev/null)
PKG_LIBS   := $(shell $(PKG_CONFIG) --libs $(LIBS) 2>/dev/null)

# Entries of option tables leave out what they lack.
WARN := -Wall -Wextra -Wno-missing-field-initializers -Wshadow \
	-Wstrict-prototypes -Wmissing-prototypes -Wconversion -Wno-sign-conversion -Wpointer-arith -Wvla -Wundef \
	-Wimplicit-fallthrough
HARDEN := -fstack-protector-strong -fPIE
OPT    := -O2
DEFS   := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DHP_VERSION='"$(VERSION)"'
LINK   := -pie -Wl,-z,relro,-z,now

ifeq ($(VARIANT),release)
HARDEN += -D_FORTIFY_SOURCE=2
else ifeq ($(VARIANT),asan)
OPT    := -O1
HARDEN += -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
else ifeq ($(VARIANT),tsan)
OPT    := -O1
HARDEN += -fsanitize=thread -fno-omit-frame-pointer
else ifeq ($(VARIANT),cov)
OPT    := -O0
HARDEN += --coverage
DEFS   += -DHP_NO_SANDBOX
else ifeq ($(VARIANT),fuzz)
CC     := afl-clang-fast
else
$(error VARIANT is one of release, asan, tsan, cov, fuzz)
endif

# Commands are shown by name; in full with V=1.
quiet = $(if $(V),,@printf '  %-5s %s\n' $(1) '$@'; )

CFLAGS ?= -g
ALL_CFLAGS := -std=c17 $(OPT) $(WARN) $(HARDEN) $(DEFS) -I. $(PKG_CFLAGS) \
	-pthread $(CFLAGS)
ALL_LDFLAGS := $(HARDEN) $(LINK) -pthread $(LDFLAGS)

COMMON_SRC   := $(wildcard common/*.c common/*/*.c)
VALIDATE_SRC := $(wildcard validate/*.c)
DIFF_SRC     := $(wildcard diff/*.c)
CONVERT_SRC  := $(wildcard convert/*.c)
BUILDER_SRC  := $(wildcard tests/builder/*.c)
UNIT_SRC     := $(wildcard tests/unit/*.c)
obj = $(patsubst %.c,$(B)/obj/%.o,$(1))

LIB      := $(B)/libhprof.a
PROGRAMS := $(B)/hprof-validate $(B)/hprof-diff $(B)/hprof-convert
# Programs without their main(), for tests that call into them.
VALIDATE_LIB := $(filter-out validate/main.c,$(VALIDATE_SRC))
DIFF_LIB     := $(filter-out diff/main.c,$(DIFF_SRC))
CONVERT_LIB  := $(filter-out convert/main.c,$(CONVERT_SRC))

.DELETE_ON_ERROR:
.PHONY: all help clean
all: $(PROGRAMS) ## build the three programs (VARIANT=release|asan|tsan|cov|fuzz)

help: ## list the targets
	@grep -hE '^[a-z][a-z-]*:.*##' Makefile tests/tests.mk \
		tests/fuzz/fuzz.mk tests/sweep/sweep.mk tests/fault/fault.mk | \
		sed 's/:.*##/\t/' | expand -t 18

# What the objects were built with: a change rebuilds them.
FLAGS_STAMP := $(B)/flags
$(FLAGS_STAMP): FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(PKG_LIBS)' | \
		cmp -s - $@ || \
		printf '%s\n' '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(PKG_LIBS)' > $@
FORCE:

# Loops over bytes that the compiler turns into vector instructions.
$(B)/obj/common/pack/planes.o $(B)/obj/common/pack/column.o: \
	private ALL_CFLAGS += $(if $(filter -O2,$(OPT)),-O3)

$(B)/obj/%.o: %.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB): $(call obj,$(COMMON_SRC))
	@rm -f $@
	$(call quiet,AR)$(AR) rcs $@ $^

$(B)/hprof-validate: $(call obj,$(VALIDATE_SRC)) $(LIB)
$(B)/hprof-diff: $(call obj,$(DIFF_SRC)) $(LIB)
$(B)/hprof-convert: $(call obj,$(CONVERT_SRC)) $(LIB)
$(PROGRAMS):
	$(call quiet,LINK)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) -lm

clean: ## remove everything that was built
	rm -rf build

# --- what the machine needs, and the demo ---------------------------------
# On a bare machine pkg-config finds nothing when this file is read, so what
# depends on `deps` builds in a make of its own.
.PHONY: deps deps-dev demo corpus
deps: ## install what the build and the tests need
	@scripts/deps

deps-dev: ## also what fuzzing, lint, bench and corpus need
	@scripts/deps --dev

demo: deps ## build, then validate, diff and strip the corpus's dumps
	@$(MAKE) --no-print-directory all
	@HPROF_BIN=$(B) corpus/demo

corpus: ## take the corpus's dumps again, from the JVM that is here
	corpus/make-corpus.sh

# --- speed ----------------------------------------------------------------
BENCH := build/bench
BENCH_TOOLS := $(BENCH)/limit $(BENCH)/timed $(BENCH)/hprof-gen
BENCH_CC := $(CC) -std=c17 -O2 -g $(WARN) -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64
.PHONY: bench bench-tools bench-counts bench-profile bench-scale bench-pack
bench-tools: $(BENCH_TOOLS) # the limit, the clock and the generator

$(BENCH)/limit $(BENCH)/timed: $(BENCH)/%: tests/bench/%.c
	@mkdir -p $(@D)
	$(call quiet,LINK)$(BENCH_CC) -o $@ $<

$(BENCH)/hprof-gen: tests/bench/hprof-gen.c $(wildcard tests/bench/gen-*.c) \
		tests/bench/gen.h
	@mkdir -p $(@D)
	$(call quiet,LINK)$(BENCH_CC) -o $@ $(filter %.c,$^)

.PHONY: check-generated
check-generated: all bench-tools ## generated dumps against the generator
	@echo "== generated dumps ($(VARIANT))"
	@HPROF_BIN=$(B) tests/bench/check

bench: all bench-tools ## speed next to the limit and others (BENCH_SIZE=1g)
	@tests/bench/run

bench-pack: all bench-tools ## packs next to zstd (BENCH_SLOW=1: xz, levels 19)
	@tests/bench/pack

bench-counts: all bench-tools ## instructions for a small fixed dump
	@tests/bench/counts

bench-profile: all bench-tools ## where the time goes
	@tests/bench/profile

bench-scale: all bench-tools ## time and memory by size (BENCH_SCALE='1g 10g')
	@tests/bench/scale

# --- style, installation --------------------------------------------------
.PHONY: lint install uninstall dist
lint: ## formatting, static checks, scripts, manual pages
	@scripts/lint

BINDIR := $(DESTDIR)$(PREFIX)/bin
MANDIR := $(DESTDIR)$(PREFIX)/share/man/man1
BASHDIR := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSHDIR := $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISHDIR := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
NAMES := $(notdir $(PROGRAMS))

install: all ## install programs, manual pages, completions (PREFIX, DESTDIR)
	install -d $(BINDIR) $(MANDIR) $(BASHDIR) $(ZSHDIR) $(FISHDIR)
	install -m 755 $(PROGRAMS) $(BINDIR)
	install -m 644 $(NAMES:%=man/%.1) $(MANDIR)
	for p in $(NAMES); do \
		install -m 644 completions/hprof.bash $(BASHDIR)/$$p; \
		install -m 644 completions/hprof.fish $(FISHDIR)/$$p.fish; done
	install -m 644 completions/_hprof $(ZSHDIR)

uninstall: ## remove what install put there
	rm -f $(NAMES:%=$(BINDIR)/%) $(NAMES:%=$(MANDIR)/%.1) \
		$(NAMES:%=$(BASHDIR)/%) $(ZSHDIR)/_hprof \
		$(NAMES:%=$(FISHDIR)/%.fish)

dist: ## the committed sources as build/hprof-VERSION.tar.gz
	@mkdir -p build
	git archive --prefix=hprof-$(VERSION)/ \
		-o build/hprof-$(VERSION).tar.gz HEAD

-include tests/tests.mk
-include $(patsubst %.o,%.d,$(call obj,$(COMMON_SRC) $(VALIDATE_SRC) \
	$(DIFF_SRC) $(CONVERT_SRC) $(BUILDER_SRC) $(UNIT_SRC)))
