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

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wconversion -Wno-sign-conversion -Wpointer-arith -Wvla -Wundef \
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
	@grep -hE '^[a-z][a-z-]*:.*##' $(MAKEFILE_LIST) | \
		sed 's/:.*##/\t/' | expand -t 16

# What the objects were built with: a change rebuilds them.
FLAGS_STAMP := $(B)/flags
$(FLAGS_STAMP): FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(PKG_LIBS)' | \
		cmp -s - $@ || \
		printf '%s\n' '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(PKG_LIBS)' > $@
FORCE:

$(B)/obj/%.o: %.c $(FLAGS_STAMP)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB): $(call obj,$(COMMON_SRC))
	@rm -f $@
	$(AR) rcs $@ $^

$(B)/hprof-validate: $(call obj,$(VALIDATE_SRC)) $(LIB)
$(B)/hprof-diff: $(call obj,$(DIFF_SRC)) $(LIB)
$(B)/hprof-convert: $(call obj,$(CONVERT_SRC)) $(LIB)
$(PROGRAMS):
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS) -lm

clean: ## remove everything that was built
	rm -rf build

-include tests/tests.mk
-include $(patsubst %.o,%.d,$(call obj,$(COMMON_SRC) $(VALIDATE_SRC) \
	$(DIFF_SRC) $(CONVERT_SRC) $(BUILDER_SRC) $(UNIT_SRC)))
