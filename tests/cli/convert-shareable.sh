# --shareable removes the same payload as --shape-only, says in sentences what is
# gone and what is left, and --no-times also removes the times.
fixture agent >a
hprof-convert --shareable a b
hprof-convert --shape-only a c 2>.err
same b c
hprof-convert --shareable --no-times --force a b
# the time of the header and of all records, before and after
for f in a b; do
    od -An -tx1 -j23 -N8 $f
    hprof-convert --to=ndjson $f | jq -s -c '[.[].time | numbers] | unique'
done
# the strip and its proof agree for every fixture, every number of threads, and
# on a pipe; nothing else changes
whole | while read -r name size; do
    fixture "$name" --id-size="$size" >a
    quiet hprof-convert --no-times --force a b
    for threads in $(printf '%s\n' 1 3 | thin); do
        hprof-convert --no-times --threads=$threads - <a 2>.err | cmp - b
    done
    hprof-diff --exit-code a b >.out 2>.err || echo "$name $size: diff $?"
    rm -f b
done
fixture hotspot >a
hprof-convert --no-times --force a b
# it keeps nothing
code hprof-convert --shareable --keep='a.B#c' a c
code hprof-convert --shareable --keep-first=3 a c
