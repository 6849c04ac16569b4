# Planted faults: does a test detect them? tests/mutants/mutants.txt has one
# fault a line, and tests/mutants/run explains how they are run.

.PHONY: check-mutants mutant-build

check-mutants: test-programs $(UNIT_BIN) fuzz-bins ## planted faults, each of which a test must notice (MUTANTS='3 17' or today)
	@echo "== planted faults"
	@tests/mutants/test
	@MUTANTS='$(MUTANTS)' COUNT='$(COUNT)' VARIANT=$(VARIANT) \
		JOBS=$(TEST_JOBS) tests/mutants/run

# The targets that `make check-quick ONLY=...` needs, in a copy with a planted
# fault.
mutant-build: $(QUICK_NEEDS)
