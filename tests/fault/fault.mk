# Inject a fault into each call in turn. A program's objects are linked with
# wrapped calls (shim.c) and with a main() that forks (fault.c). This runs only
# under AddressSanitizer, which also detects leaks on error paths.

FAULT_BINS := $(T)/fault-validate $(T)/fault-diff $(T)/fault-convert
FAULT_SRC  := $(wildcard tests/fault/*.c)
FAULT_CALLS := malloc calloc realloc reallocarray aligned_alloc strdup \
	strndup fopencookie mmap64 pthread_create mkostemp64 fopen64 eventfd \
	fstat64 lseek64 fsync mkdirat renameat hp_publish_rename getrandom linkat open64 \
	openat64 fcntl64 read pread64 write pwrite64 poll
FAULT_WRAP := $(FAULT_CALLS:%=-Wl,--wrap=%)
# Options of fault-PROGRAM.
FAULTS     ?= --seconds=60

.PHONY: check-faults

$(T)/fault-validate: $(call obj,$(VALIDATE_LIB))
$(T)/fault-diff: $(call obj,$(DIFF_LIB))
$(T)/fault-convert: $(call obj,$(CONVERT_LIB))
$(T)/fault-%: $(call obj,$(FAULT_SRC) tests/sweep/turns.c $(BUILDER_LIB)) \
		$(B)/obj/tests/main-%.o $(LIB)
	@mkdir -p $(@D)
	$(call quiet,LINK)$(CC) $(ALL_LDFLAGS) $(FAULT_WRAP) -o $@ $(filter %.o,$^) $(LIB) \
		$(PKG_LIBS) -lm

ifeq ($(VARIANT),asan)
check-faults: $(FAULT_BINS)
	@echo "== faults"
	@rc=0; for f in $(FAULT_BINS); do $$f $(FAULTS) || rc=1; done; exit $$rc
else
check-faults: ## a fault at every call in turn (FAULTS=--seconds=60; 0: all)
	@$(MAKE) --no-print-directory VARIANT=asan check-faults
endif

-include $(patsubst %.o,%.d,$(call obj,$(FAULT_SRC)))
