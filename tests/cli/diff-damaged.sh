# A damaged dump is an error (exit status 2). --partial uses what can be read,
# and the result says so.
fixture cut-array >broken
fixture hotspot >a
code hprof-diff broken
code hprof-diff a broken
code hprof-diff broken a
code hprof-diff --partial --format=json broken
jq -c '.dumps[0].partial, (.rows[] | select(.key == "com.acme.Order") |
    .count)' .out
code hprof-diff --partial --format=json a broken
jq -c '[.dumps[].partial]' .out
# Every format says so. If a format has no place for it, a message is printed
# even with -q.
hprof-diff --partial --format=json broken >part.json 2>.err
for dump in broken part.json; do
    for format in csv folded; do
        hprof-diff -q --partial --by=class --format=$format a $dump 2>&1 >.out
        looked
    done
    for format in json table ndjson rows html; do
        hprof-diff -q --partial --format=$format a $dump 2>&1 >.out
        grep -aqE '"partial": ?(true|1)|  partial' .out || echo "$format: whole"
        looked
    done
done
looked_at 14
hprof-diff -q --format=csv a 2>&1 >.out
# The first screen says that a dump is incomplete, also if it has roots, and also
# with an object graph. So do the JSON and the page, and a saved result keeps it.
fixture rootless >rootless
for dump in broken rootless; do
    for option in --quick --retained --by=site; do
        echo "$dump $option"
        hprof-diff --partial $option $dump 2>/dev/null | sed '/^$/,$d' |
            grep -a -e incomplete -e roots
        hprof-diff --partial $option --format=json $dump 2>/dev/null |
            jq -c '[.incomplete, .dumps[0].unrooted]'
    done
    hprof-diff --partial --retained --format=json $dump >saved.json 2>/dev/null
    hprof-diff --partial --retained --format=json saved.json 2>/dev/null |
        jq -c '[.incomplete, .dumps[0].unrooted]'
    hprof-diff --partial --format=html $dump 2>/dev/null | page_data |
        jq -c '.compared[0].problems, .answer.sentence[0]'
done
hprof-diff --format=json a | jq -c '.incomplete, .dumps[0].unrooted'
# a saved partial result is treated in the same way
hprof-diff part.json 2>&1
echo $?
hprof-diff --partial --top=1 part.json >.out
echo $?
# after a wrong tag --salvage finds what --partial leaves out
objects() {
    hprof-diff --partial --format=json "$1" | jq '.dumps[0].objects'
}
at=$(hprof-convert --to=ndjson a | jq -s '[.[] |
    select(.record == "INSTANCE_DUMP")][1].offset')
cp a bent
printf '\356' | dd of=bent bs=1 seek="$at" conv=notrunc status=none
objects bent 2>.err
sed 's/.*; //' .err
hprof-convert -q --salvage bent whole
objects whole
objects a
