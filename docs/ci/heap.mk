# heap.mk - a dump is published only if it is whole; for `include heap.mk`
#
# `make published/app.hprof.zst` takes dumps/app.hprof, validates it, and
# compresses it; hprof-convert reads back what it wrote. If either fails, so
# does make, and there is no file.
DUMPS     ?= dumps
PUBLISHED ?= published

$(PUBLISHED)/%.hprof.zst: $(DUMPS)/%.hprof
	@mkdir -p $(@D)
	hprof-validate -q --strict $<
	hprof-convert -q --compress=zstd --verify --force $< $@
