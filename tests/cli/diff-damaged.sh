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
# the same goes for what was saved of it
hprof-diff --partial --format=json broken >part.json 2>.err
hprof-diff part.json 2>&1
echo $?
hprof-diff --partial --top=1 part.json >.out
echo $?
