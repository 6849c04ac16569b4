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
mkdir shared 1 3
whole | while read -r name size; do
    b=$name-$size
    fixture "$name" --id-size="$size" >a
    quiet hprof-convert --no-times --force a shared/$b
    hprof-convert --no-times --threads=1 - <a >1/$b 2>.err
    hprof-convert --no-times --threads=3 - <a >3/$b 2>.err
    hprof-diff --exit-code a shared/$b >.out 2>.err || echo "$name $size: diff $?"
done
same_folders 1 shared 140
same_folders 3 shared 140
fixture hotspot >a
hprof-convert --no-times --force a b
# it keeps nothing
code hprof-convert --shareable --keep='a.B#c' a c
code hprof-convert --shareable --keep-first=3 a c
