# A damaged dump is trouble; --partial uses what can be read and says so.
fixture cut-array >cut
fixture hotspot >a
code hprof-diff cut
code hprof-diff a cut
code hprof-diff cut a
code hprof-diff --partial --format=json cut
jq -c '.dumps[0].partial, (.rows[] | select(.key == "com.acme.Order") |
    .count)' .out
code hprof-diff --partial --format=json a cut
jq -c '[.dumps[].partial]' .out
