# --dump=N for a file with several dumps: the counts of records are those of the
# file, for every N, and a truncated dump does not count.
fixture two-dumps-102 >two
second=$(hprof-validate --format=json two | jq '.files[0].rules[] |
    select(.rule == "segment-after-end") | .examples[0].offset')
head -c $((second + 100)) two >cut
for f in two cut; do
    hprof-validate --format=json $f 2>.err | jq -c '.files[0].records' >want
    jq -c '[.HEAP_DUMP_SEGMENT, .HEAP_DUMP_END]' want
    for n in 1 2; do
        for way in $f -; do
            hprof-validate --dump=$n --format=json $way <$f 2>.err |
                jq -c '.files[0].records' >got
            same_or_say "$f --dump=$n, from $way" want got
        done
    done
done
# a dump without an end record ends where the next one begins: segments, HEAP
# DUMP
{ printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\1\214\0\0\0\0'
  printf '\34\0\0\0\0\0\0\0\5\5\0\0\0\1'
  printf '\14\0\0\0\0\0\0\0\5\5\0\0\0\1'; } >x
for n in 1 2; do
    hprof-validate --dump=$n --format=json x >.out 2>.err
    jq -c '.files[0].rules[] |
        select(.rule == "core-class") | [.count, .examples[0].offset]' .out
done
# a HEAP DUMP has no end record, nor do segments next to it, in any order
hprof-validate --format=json x | jq -c '.files[0].rules[] |
    select(.rule == "end-missing") | [.severity, .count]'
# strings belong to all dumps of a file, so one dump alone cannot show that a
# string is unused
for n in 1 2; do
    hprof-validate --dump=$n --format=json two | jq -c '.files[0] |
        [.rules[].rule | select(. == "string-unused")], .not_checked'
done
hprof-validate --dump=1 two | grep 'not checked'
hprof-validate --dump=1 --format=junit two | grep 'skipped.*dumps'
