# HPROF toolkit: hprof-validate, hprof-diff and hprof-convert over one library.
# `make help` lists the targets. Every variant has its own folder in build/, so
# that objects with different flags are never mixed.

VARIANT ?= release
# Parts that can be left out: packs, and the text format of the JVMTI agent.
PACK    ?= yes
TEXT    ?= yes
ifneq ($(filter-out yes no,$(PACK) $(TEXT)),)
$(error PACK and TEXT are yes or no)
endif
B       := build/$(VARIANT)$(if $(filter no,$(PACK)),-no-pack)$(if \
	$(filter no,$(TEXT)),-no-text)
PREFIX  ?= /usr/local
DESTDIR ?=
LIBSUBDIR ?= lib
VERSION := 0.2.0

# The prefix of tools that build for another processor, such as
# aarch64-linux-gnu-.
CROSS   ?=
ifneq ($(CROSS),)
CC      := $(CROSS)gcc
AR      := $(CROSS)ar
LD      := $(CROSS)ld
endif
OBJCOPY := $(CROSS)objcopy

PKG_CONFIG ?= pkg-config
LIBS       := libxxhash libzstd libdeflate libisal jansson
PKG_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(LIBS) 2>/dev/null)
PKG_LIBS   := $(shell $(PKG_CONFIG) --libs $(LIBS) 2>/dev/null)

# Entries of option tables omit unused members, and functions in a table need
# not use all parameters.
WARN := -Wall -Wextra -Wno-missing-field-initializers -Wno-unused-parameter \
	-Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wconversion \
	-Wno-sign-conversion -Wpointer-arith -Wvla -Wundef -Wimplicit-fallthrough
# Programs and the shared library use the same objects: -fPIC with hidden
# symbols produces the same code as -fPIE.
HARDEN := -fstack-protector-strong -fPIC -fvisibility=hidden
OPT    := -O2
DEFS   := -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -DHP_VERSION='"$(VERSION)"'
LINK   := -pie -Wl,-z,relro,-z,now
# musl gives threads a stack of only 128 KB unless the program asks for more;
# the columns of a pack would need most of it. glibc's default is larger anyway.
STACK  := -Wl,-z,stack-size=524288

ifeq ($(VARIANT),release)
HARDEN += -D_FORTIFY_SOURCE=2
else ifeq ($(VARIANT),asan)
# clang's sanitizers detect more, for example arithmetic with a null pointer. So
# prefer clang if it is installed.
ifeq ($(origin CC),default)
CC := $(if $(shell command -v clang),clang,$(CC))
endif
OPT    := -O1
HARDEN += -fsanitize=address,undefined,float-cast-overflow \
	-fno-sanitize-recover=all -fno-omit-frame-pointer
# A static runtime makes each start a sixth faster, and the tests start
# thousands of processes.
LINK   += $(if $(findstring clang,$(CC)),,-static-libasan -static-libubsan)
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

# Print commands by name, or in full with V=1.
quiet = $(if $(V),,@printf '  %-5s %s\n' $(1) '$@'; )

CFLAGS ?= -g
ALL_CFLAGS := -std=c17 $(OPT) $(WARN) $(HARDEN) $(DEFS) -I. $(PKG_CFLAGS) \
	-Iinclude -pthread $(CFLAGS)
ALL_LDFLAGS := $(HARDEN) $(LINK) $(STACK) -pthread $(LDFLAGS)

# The files of a component, and those that take their place without it.
PACK_SRC := $(wildcard common/pack/*.c common/pack/*/*.c) \
	diff/count/pack_histogram.c
NO_PACK  := diff/count/without_pack.c
TEXT_SRC := $(wildcard common/text/*.c common/text/*/*.c) validate/text.c \
	diff/count/carried.c convert/export/text.c \
	convert/export/text_line.c convert/export/text_prepass.c
NO_TEXT  := diff/count/without_text.c validate/without_text.c \
	convert/export/without_text.c
LEFT_OUT := $(if $(filter yes,$(PACK)),$(NO_PACK),$(PACK_SRC)) \
	$(if $(filter yes,$(TEXT)),$(NO_TEXT),$(TEXT_SRC))

sources = $(filter-out $(LEFT_OUT),$(wildcard $(1)/*.c $(1)/*/*.c \
	$(1)/*/*/*.c))
COMMON_SRC   := $(call sources,common)
VALIDATE_SRC := $(call sources,validate) $(B)/gen/validate/page.c
DIFF_SRC     := $(call sources,diff) $(B)/gen/diff/page.c
CONVERT_SRC  := $(call sources,convert)
MCP_SRC      := $(wildcard mcp/*.c)
BUILDER_SRC  := $(wildcard tests/builder/*.c)
UNIT_SRC     := $(wildcard tests/unit/*.c)
LIB_SRC      := $(wildcard lib/*.c)
obj = $(patsubst %.c,$(B)/obj/%.o,$(1))

# The code that all programs share; it is used only during the build.
LIB      := $(B)/common.a
PROGRAMS := $(B)/hprof-validate $(B)/hprof-diff $(B)/hprof-convert \
	$(B)/hprof-mcp
# Programs without main(), for tests that call their functions.
VALIDATE_LIB := $(filter-out validate/main.c,$(VALIDATE_SRC))
DIFF_LIB     := $(filter-out diff/main.c,$(DIFF_SRC))
CONVERT_LIB  := $(filter-out convert/main.c,$(CONVERT_SRC)) $(DIFF_LIB)

# The public library. Variants with sanitizers test its objects, not these
# files.
SOVERSION := 0
SHARED    := $(B)/libhprof.so.$(SOVERSION)
STATIC    := $(B)/libhprof.a
LIBRARY   := $(if $(filter release,$(VARIANT)),$(SHARED) $(B)/libhprof.so \
	$(STATIC) $(B)/hprof.pc)

.DELETE_ON_ERROR:
.PHONY: all help clean
all: $(PROGRAMS) $(LIBRARY) ## build programs and library (VARIANT=release|asan|tsan|cov|fuzz, PACK=no, TEXT=no)

help: ## list the targets
	@grep -hE '^[a-z][a-z-]*:.*##' Makefile tests/tests.mk \
		agent/agent.mk tests/fuzz/fuzz.mk tests/sweep/sweep.mk \
		tests/fault/fault.mk tests/mutants/mutants.mk | \
		sed 's/:.*##/\t/' | expand -t 18

# The flags of the last build. If they change, everything is rebuilt.
FLAGS_STAMP := $(B)/flags
$(FLAGS_STAMP): FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(PKG_LIBS)' | \
		cmp -s - $@ || \
		printf '%s\n' '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(PKG_LIBS)' > $@
FORCE:

$(B)/obj/common/components/components.o: private ALL_CFLAGS += \
	-DHP_PACK=$(if $(filter yes,$(PACK)),1,0) \
	-DHP_TEXT=$(if $(filter yes,$(TEXT)),1,0)

# The compiler turns the loops over bytes in these files into vector
# instructions.
$(B)/obj/common/pack/block/byte_shuffle.o $(B)/obj/common/pack/block/column.o: \
	private ALL_CFLAGS += $(if $(filter -O2,$(OPT)),-O3)

# A program's HTML report: page, style and script as one C source.
$(B)/gen/%/page.c: scripts/embed-page $(wildcard common/html/*.html \
		common/html/*.css common/html/*.js)
	@mkdir -p $(@D)
	$(call quiet,EMBED)scripts/embed-page $* > $@
$(B)/gen/diff/page.c: $(wildcard diff/report/page*)
$(B)/gen/validate/page.c: $(wildcard validate/report/page*)

$(B)/obj/%.o: %.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB): $(call obj,$(COMMON_SRC))
	@rm -f $@
	$(call quiet,AR)$(AR) rcs $@ $^

$(B)/hprof-validate: $(call obj,$(VALIDATE_SRC)) $(LIB)
$(B)/hprof-diff: $(call obj,$(DIFF_SRC)) $(LIB)
# The linker takes from hprof-diff only what finds waste, for tables.
$(B)/hprof-convert: $(call obj,$(CONVERT_SRC)) $(B)/parts.a
$(B)/hprof-mcp: $(call obj,$(MCP_SRC)) $(LIB)
$(PROGRAMS):
	$(call quiet,LINK)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) -lm

# The linker takes from the programs' folders only what the library calls.
LIB_PARTS := $(B)/parts.a
$(LIB_PARTS): $(call obj,$(COMMON_SRC) $(VALIDATE_LIB) $(DIFF_LIB))
	@rm -f $@
	$(call quiet,AR)$(AR) rcs $@ $^

$(SHARED): $(call obj,$(LIB_SRC)) $(LIB_PARTS) lib/libhprof.map
	$(call quiet,LINK)$(CC) -shared $(HARDEN) -Wl,-z,relro,-z,now $(STACK) \
		-Wl,-z,defs -Wl,-soname,$(@F) \
		-Wl,--version-script=lib/libhprof.map -Wl,--exclude-libs,ALL \
		$(LDFLAGS) -pthread -o $@ $(filter %.o %.a,$^) $(PKG_LIBS) -lm

$(B)/libhprof.so: $(SHARED)
	@ln -sf $(<F) $@

# One object in which only the exported symbols are visible.
$(STATIC): $(call obj,$(LIB_SRC)) $(LIB_PARTS)
	@rm -f $@
	$(call quiet,AR)$(LD) -r -o $(B)/libhprof.o $(filter %.o %.a,$^) && \
		$(OBJCOPY) --localize-hidden $(B)/libhprof.o && \
		$(AR) rcs $@ $(B)/libhprof.o

# Quote any text as one word of the shell.
quoted = '$(subst ','\'',$(1))'

# Written for the current PREFIX each time.
$(B)/hprof.pc: lib/hprof.pc.in scripts/pc-file FORCE
	@mkdir -p $(@D)
	@scripts/pc-file $< $(call quoted,$(PREFIX)) \
		$(call quoted,$(LIBSUBDIR)) $(VERSION) > $@

clean: ## remove everything that was built
	rm -rf build

include agent/agent.mk

# --- what the machine needs, and the demo ---------------------------------
# On a bare machine pkg-config finds nothing when this file is read, so what
# depends on `deps` builds in a make of its own.
.PHONY: deps deps-dev deps-ci demo corpus
deps: ## install what the build and the tests need
	@scripts/deps

deps-ci: ## also browsers and VisualVM, as .ci/run
	@scripts/deps --ci

deps-dev: ## also what fuzzing, lint, bench and corpus need
	@scripts/deps --dev

demo: deps ## build, then validate, diff and strip the corpus's dumps
	@$(MAKE) --no-print-directory all
	@HPROF_BIN=$(B) corpus/demo

corpus: ## take the corpus's dumps again, from the JVM that is here
	corpus/make-corpus.sh

.PHONY: docs-screenshots
docs-screenshots: all ## pictures of the HTML reports, into docs/images
	@HPROF_BIN=$(B) scripts/screenshots

# --- speed ----------------------------------------------------------------
BENCH := build/bench
BENCH_TOOLS := $(BENCH)/limit $(BENCH)/timed $(BENCH)/hprof-gen
BENCH_CC := $(CC) -std=c17 -O2 -g $(WARN) -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64
.PHONY: bench bench-tools bench-counts bench-page bench-profile bench-scale \
	bench-fleet bench-graph bench-pack bench-text bench-threads
bench-tools: $(BENCH_TOOLS) # the limit, the clock and the generator

$(BENCH)/limit $(BENCH)/timed: $(BENCH)/%: tests/bench/%.c
	@mkdir -p $(@D)
	$(call quiet,LINK)$(BENCH_CC) -o $@ $<

$(BENCH)/hprof-gen: tests/bench/hprof-gen.c $(wildcard tests/bench/gen-*.c) \
		tests/bench/gen.h
	@mkdir -p $(@D)
	$(call quiet,LINK)$(BENCH_CC) -o $@ $(filter %.c,$^)

.PHONY: check-fleet
check-fleet: test-programs ## the recipes of docs/fleet with the engines here (FLEET=30)
	@echo "== fleets ($(VARIANT))"
	@HPROF_BIN=$(B) tests/fleet/run

.PHONY: check-generated
check-generated: all bench-tools ## generated dumps against the generator
	@echo "== generated dumps ($(VARIANT))"
	@HPROF_BIN=$(B) tests/bench/check

bench: all bench-tools ## speed next to the limit and others (BENCH_SIZE=1g)
	@tests/bench/run

bench-graph: all bench-tools ## the object graph, also in small containers (BENCH_SIZE='256m 1g')
	@tests/bench/graph

bench-pack: all bench-tools ## packs next to zstd (BENCH_SLOW=1: xz, levels 19)
	@tests/bench/pack

bench-text: all bench-tools ## the agent's text, next to wc -l (BENCH_TEXT=MIB)
	@tests/bench/text

bench-fleet: all bench-tools ## 300 dumps as rows; 1 GB in each engine (BENCH_SIZE=1g)
	@HPROF_BIN=$(B) tests/fleet/bench

bench-page: all ## load time of HTML reports of 20,000 and 50,000 rows
	@BUILD=$(B) tests/browser/load-time

bench-threads: all bench-tools ## every mode with 1, 2 and more threads
	@tests/bench/threads

bench-counts: all bench-tools ## instructions for a small fixed dump
	@tests/bench/counts

bench-profile: all bench-tools ## where the time goes
	@tests/bench/profile

bench-scale: all bench-tools ## time and memory by size (BENCH_SCALE='1g 10g')
	@tests/bench/scale

# --- style, installation --------------------------------------------------
.PHONY: lint clang-warnings install uninstall dist
lint: ## formatting, static checks, scripts, manual pages
	@scripts/lint

# Use the compiler that the build does not use. It must give no warning.
clang-warnings: $(B)/tests/suites.def
	@git ls-files 'common/*.c' 'validate/*.c' 'diff/*.c' 'convert/*.c' \
		'lib/*.c' 'tests/*.c' ':!tests/library' | \
		xargs -P "$$(nproc)" -n 20 clang -fsyntax-only -Werror \
		$(ALL_CFLAGS) -DHP_PACK=1 -DHP_TEXT=1 -I$(B)/tests

# Where each file is installed: MODE:SOURCE:TARGET, with TARGET below PREFIX.
NAMES  := $(filter-out hprof-mcp,$(notdir $(PROGRAMS)))
# The files that README.md links to are installed with the same relative paths.
DOCDIR := share/doc/hprof
DOC_SCRIPTS := $(wildcard docs/ci/*.sh docs/fleet/*-fleet docs/fleet/fleet-rows)
INSTALLED := \
	$(foreach p,$(NAMES),755:$(B)/$(p):bin/$(p) \
		644:man/$(p).1:share/man/man1/$(p).1 \
		644:completions/hprof.bash:share/bash-completion/completions/$(p) \
		644:completions/hprof.fish:share/fish/vendor_completions.d/$(p).fish) \
	644:completions/_hprof:share/zsh/site-functions/_hprof \
	755:$(B)/hprof-mcp:bin/hprof-mcp \
	644:man/hprof-mcp.1:share/man/man1/hprof-mcp.1 \
	644:include/hprof.h:include/hprof.h \
	$(if $(JVMTI_H),755:$(AGENT):$(LIBSUBDIR)/libhprof-agent.so \
		644:man/hprof-agent.1:share/man/man1/hprof-agent.1) \
	755:$(SHARED):$(LIBSUBDIR)/$(notdir $(SHARED)) \
	644:$(STATIC):$(LIBSUBDIR)/libhprof.a \
	644:$(B)/hprof.pc:$(LIBSUBDIR)/pkgconfig/hprof.pc \
	$(foreach f,$(wildcard man/*.[357]),644:$(f):share/man/man$(subst .,,$(suffix $(f)))/$(notdir $(f))) \
	$(foreach f,$(wildcard docs/*.md docs/ci/* docs/fleet/* docs/library/* \
			docs/images/* docs/schema/*) docs/hprof.magic, \
		$(if $(filter $(DOC_SCRIPTS),$(f)),755,644):$(f):$(DOCDIR)/$(f)) \
	$(foreach f,README.md CHANGELOG.md LICENSE SECURITY.md ARCHITECTURE.md \
		CONTRIBUTING.md,644:$(f):$(DOCDIR)/$(f))

# Lines "FUNCTION PAGE" for functions that a page with another name documents.
MAN3_NAMES = awk '$$1 == ".Nm" && FILENAME != "man/" $$2 ".3" { \
	sub(/.*\//, "", FILENAME); print $$2, FILENAME }' man/*.3

DEST = $(call quoted,$(DESTDIR)$(PREFIX))

install: all agent ## install programs, library, manuals, recipes (PREFIX, DESTDIR)
	@for f in $(INSTALLED); do \
		mode=$${f%%:*}; from=$${f#*:}; to=$${from##*:}; \
		install -D -m $$mode "$${from%%:*}" \
			$(DEST)/"$$to" || exit 1; \
	done
	@ln -sf $(notdir $(SHARED)) $(DEST)/$(LIBSUBDIR)/libhprof.so
	@$(if $(JVMTI_H),mkdir -p $(DEST)/$(LIBSUBDIR)/agentlib && \
		ln -sf ../libhprof-agent.so \
			$(DEST)/$(LIBSUBDIR)/agentlib/libhprof.so,:)
	@$(MAN3_NAMES) | while read -r name page; do \
		ln -sf $$page $(DEST)/share/man/man3/"$$name.3" || exit 1; \
	done
	@printf 'installed below %s\n' $(DEST)

uninstall: ## remove what install put there, and folders of its own
	@for f in $(INSTALLED); do \
		rm -f $(DEST)/"$${f##*:}" || exit 1; done
	@rm -f $(DEST)/$(LIBSUBDIR)/libhprof.so \
		$(DEST)/$(LIBSUBDIR)/agentlib/libhprof.so
	@[ ! -d $(DEST)/$(LIBSUBDIR)/agentlib ] || \
		rmdir $(DEST)/$(LIBSUBDIR)/agentlib
	@$(MAN3_NAMES) | while read -r name page; do \
		rm -f $(DEST)/share/man/man3/"$$name.3" || exit 1; done
	@[ ! -d $(DEST)/$(DOCDIR) ] || \
		find $(DEST)/$(DOCDIR) -depth -type d -empty -delete

dist: ## the committed sources as build/hprof-VERSION.tar.gz
	@mkdir -p build
	git archive --prefix=hprof-$(VERSION)/ \
		-o build/hprof-$(VERSION).tar.gz HEAD

-include tests/tests.mk
-include $(patsubst %.o,%.d,$(call obj,$(COMMON_SRC) $(VALIDATE_SRC) $(MCP_SRC) \
	$(DIFF_SRC) $(CONVERT_SRC) $(LIB_SRC) $(BUILDER_SRC) $(UNIT_SRC)))
