# Unsupported conversions and combinations of options give exit status 2.
fixture hotspot >a
for options in "--to=pack --compress=gzip" "--to=pack --compress=zstd:20" \
    --prune-classes --heaps= \
    --null-dangling --strings --dump=2 --dump=0 --keep-first=3 \
    '--raw --strip-arrays' --verify '--profile=1.0.1 --to=ndjson' \
    '--to=text --raw' '--raw --dump=1' '--raw --salvage'; do
    # shellcheck disable=SC2086
    code hprof-convert $options a
    [ -s .err ] || echo "no message"
    [ ! -s .out ] || echo "something on standard output"
done
left_over a
