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
