# Planted faults, one line each: does a test notice them? tests/mutants/run
# says how, tests/mutants/mutants.txt has them.

.PHONY: check-mutants mutant-build

check-mutants: test-programs $(UNIT_BIN) fuzz-bins ## planted faults, each of which a test must notice (MUTANTS='3 17' or today)
	@echo "== planted faults"
	@tests/mutants/test
	@MAKE="$(MAKE)" MUTANTS='$(MUTANTS)' COUNT='$(COUNT)' VARIANT=$(VARIANT) \
		JOBS=$(TEST_JOBS) tests/mutants/run

# What `make check-quick ONLY=...` needs: a copy in which a fault was planted.
mutant-build: $(QUICK_NEEDS)
