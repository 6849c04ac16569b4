# Run the fuzz targets of the three programs on every mutation of the small
# fixtures, many in one process. Only with AddressSanitizer and UBSan.

SWEEP_TARGETS ?= validate diff convert transform
# Options of sweep-TARGET.
SWEEP         ?=
SWEEP_BINS    := $(FUZZ_TARGETS:%=$(T)/sweep-%)
SWEEP_SRC     := tests/sweep/sweep.c tests/sweep/planted.c \
		tests/sweep/blocks.c tests/sweep/fibers.c
SWEEP_CALLS   := create join mutex_lock rwlock_rdlock rwlock_wrlock cond_wait \
		cond_signal cond_broadcast
SWEEP_WRAP    := $(SWEEP_CALLS:%=-Wl,--wrap=pthread_%)
# The calls inside the sanitizers' runtime must not be wrapped, so the runtime
# is not linked statically.
SWEEP_LDFLAGS = $(filter-out -static-lib%,$(ALL_LDFLAGS)) $(SWEEP_WRAP) \
	$(if $(findstring clang,$(CC)),-shared-libasan \
		-Xlinker -rpath=$(shell $(CC) -print-resource-dir)/lib/linux)

.PHONY: check-sweep

$(T)/sweep-validate: $(call obj,$(VALIDATE_LIB))
$(T)/sweep-diff: $(call obj,$(DIFF_LIB))
$(T)/sweep-convert: $(call obj,$(CONVERT_LIB))
$(T)/sweep-transform: $(call obj,$(CONVERT_LIB) $(VALIDATE_LIB))
$(T)/sweep-tables: $(call obj,$(CONVERT_LIB))
$(T)/sweep-planted: $(call obj,tests/sweep/planted.c)
$(SWEEP_BINS): $(T)/sweep-%: $(B)/obj/tests/fuzz/fuzz_%.o
$(SWEEP_BINS) $(T)/sweep-planted: $(LIB) $(call obj,tests/sweep/sweep.c \
		tests/sweep/blocks.c tests/sweep/fibers.c $(SWEEP_SHARED) \
		$(BUILDER_LIB) tests/fuzz/input.c)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(SWEEP_LDFLAGS) -o $@ $(filter %.o,$^) $(LIB) \
		$(PKG_LIBS) -lm

ifeq ($(VARIANT),asan)
check-sweep: $(T)/sweep-planted $(SWEEP_TARGETS:%=$(T)/sweep-%)
	@echo "== sweep"
	@rc=0; tests/sweep/planted.sh $(T)/sweep-planted || rc=1; \
		for t in $(SWEEP_TARGETS); do \
		$(T)/sweep-$$t $(SWEEP) || rc=1; done; exit $$rc
else
check-sweep: ## every mutation of small fixtures (SWEEP='--seconds=60 --jobs=2')
	@$(MAKE) --no-print-directory VARIANT=asan check-sweep
endif

-include $(patsubst %.o,%.d,$(call obj,$(SWEEP_SRC)))
