# heap.mk - publish a dump only if it is valid; use it with `include heap.mk`
#
# `make published/app.hprof.zst` validates dumps/app.hprof and compresses it.
# hprof-convert then compares its output with the dump. If one of these steps
# fails, make fails and there is no file.
DUMPS     ?= dumps
PUBLISHED ?= published

$(PUBLISHED)/%.hprof.zst: $(DUMPS)/%.hprof
	@mkdir -p $(@D)
	hprof-validate -q --strict $<
	hprof-convert -q --compress=zstd --verify --force $< $@
