# A damaged dump is trouble; --partial uses what can be read and says so.
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
# every format says so: where it has no place for it, a message, despite -q
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
# the same goes for what was saved of it
hprof-diff part.json 2>&1
echo $?
hprof-diff --partial --top=1 part.json >.out
echo $?
