# Compare the agent's text by class, site, CPU time and monitor. The binary dump
# from which it was made has the same results.
# needs: text
need jq
fixture agent >a
hprof-convert --to=text a t
# The text has no static fields of primitive types, so classes are smaller.
for way in '' '--by=site --sites=objects' --by=cpu \
    '--by=site --sites=records' '--by=site --measure=allocated'; do
    # shellcheck disable=SC2086 # options are words
    hprof-diff $way --format=json --all a t |
        jq -c '.rows[] | [.key, .delta_count + .delta_samples,
            .delta_bytes + 0]' >out
    echo "$(wc -l <out) rows$way"
    grep -v ',0,0]$' out
done
hprof-diff --by=site --measure=allocated --format=json t |
    jq -c '.measure, (.rows[] | [.key, .count[0], .bytes[0]])'

# prologue: print the beginning of every text of the agent
prologue() {
    printf 'JAVA PROFILE 1.0.1, created Fri Nov 20 22:29:09 2026\n\n--------\n\n'
    printf 'TRACE 1:\n\tA.run(A.java:3)\n\tA.main(A.java:9)\n'
}
{
    prologue
    printf 'CPU TIME (ms) BEGIN (total = 200) Fri Nov 20 22:29:13 2026\n'
    printf 'rank   self  accum   count trace method\n'
    printf '   1 75.00%% 75.00%%       3     1 A.run\n'
    printf 'CPU TIME (ms) END\n'
} >times
hprof-diff --by=cpu times
hprof-diff --by=cpu --format=json times |
    jq -c '.unit, (.rows[] | [.key, .ms[0], .calls[0], .rollup])'
hprof-diff --by=cpu --format=csv times | head -n 1
printf 'count callee caller time\n7 A.b(I)V A.c()V 12\n5 A.c()V %s 3\n' \
    '<unknown caller>' >old
hprof-diff --by=cpu --format=csv old
{
    prologue
    printf 'MONITOR TIME BEGIN (total = 40 ms) Fri Nov 20 22:29:13 2026\n'
    printf 'rank   self  accum   count trace monitor\n'
    printf '   1 75.00%% 75.00%%       3     1 a.Lock (Java)\n'
    printf '   2 25.00%% 100.00%%       1     1 a.Other (Java)\n'
    printf 'MONITOR TIME END\n'
} >monitors
hprof-diff --by=monitor monitors
hprof-diff --by=monitor --format=csv monitors times 2>err
cat err
# without a heap dump: the row keys for the data that exist
{
    cat times
    sed '1,/^$/d' monitors
    printf 'SITES BEGIN (ordered by live bytes) Fri Nov 20 22:29:13 2026\n'
    printf '          percent          live          alloc'
    printf "'"'ed  stack class\n'
    printf ' rank   self  accum     bytes objs     bytes  objs trace name\n'
    printf '    1 100.00%% 100.00%%     48    2        48     2     1 a.B\n'
    printf 'SITES END\n'
} >reports
for f in times old monitors reports; do
    code hprof-diff $f
    cat .err
done
# counts whose sums exceed 64 bits stay at the maximum
{
    prologue
    printf 'MONITOR TIME BEGIN (total = 9000000000000000000 ms) Fri Nov 20 '
    printf '22:29:13 2026\nrank   self  accum   count trace monitor\n'
    for i in 1 2 3; do
        printf '   %d 90.00%% 90.00%% 9000000000000000000 1 a.Lock (Java)\n' $i
    done
    printf 'MONITOR TIME END\n'
} >many
for gate in 'a.Lock growth-waits>5%' 'total growth-ms>5%'; do
    code hprof-diff --by=monitor --fail-if="$gate" monitors many
    code hprof-diff --by=monitor --fail-if="$gate" many monitors
done
hprof-diff --by=monitor --sort=growth --format=csv monitors many | cut -d, -f1-7
# data in special records survives a conversion
hprof-convert monitors m.hprof
hprof-diff --by=monitor --exit-code monitors m.hprof >out || cat out
# a saved result gives the same as its text
hprof-diff --by=cpu --format=json times >saved.json
hprof-diff --by=cpu --exit-code saved.json times >out || cat out
code hprof-diff --by=cpu --fail-if='A.run growth-ms>0' saved.json times
# CPU times and CPU samples are distinguished, in a dump and in a saved result
{
    prologue
    printf 'CPU SAMPLES BEGIN (total = 4) Fri Nov 20 22:29:13 2026\n'
    printf 'rank   self  accum   count trace method\n'
    printf '   1 100.00%% 100.00%%       4     1 A.run\n'
    printf 'CPU SAMPLES END\n'
} >samples
hprof-diff --by=cpu --format=json samples >samples.json
for pair in 'times samples' 'times samples.json' 'saved.json samples.json' \
    'samples saved.json' 'samples times samples'; do
    # shellcheck disable=SC2086 # several files
    hprof-diff --by=cpu --format=json $pair 2>err | jq -c '.unit, .total'
    cat err
done
# gates say what the rows count, and the table says which input is partial
for inputs in '--by=cpu samples' '--by=cpu samples samples' '--by=cpu times' \
    '--by=cpu samples times' '--by=monitor monitors' \
    '--by=monitor samples monitors'; do
    case $inputs in
    *monitors) gate='a.Lock waits>0' ;;
    *times) gate='A.run ms>1' ;;
    *) gate='A.run samples>1' ;;
    esac
    # shellcheck disable=SC2086 # an option and files
    hprof-diff -q --fail-if="$gate" $inputs | sed -n '/FAILED/,$p' | grep -v 'no row'
done
{
    cat samples
    printf 'MONITOR TIME BEGIN (total = 40 ms) Fri Nov 20 22:29:13 2026\n'
} >cut
for by in cpu monitor; do
    hprof-diff -q --partial --by=$by cut | grep '  partial$'
done
# JSON says which dump is a text, also from a saved result
hprof-diff --format=json t >saved-text.json
hprof-diff --format=json saved-text.json a t |
    jq -c '[.dumps[] | .format]'
# damage
sed '/^HEAP DUMP END/d' t >x
code hprof-diff x
cat .err
code hprof-diff --partial x
grep '  partial$' .out
# for CPU times growth is in milliseconds: A.run has more calls each time
for n in 1 2 3; do
    prologue
    printf 'TRACE 2:\n\tA.slow(A.java:5)\n'
    printf 'CPU TIME (ms) BEGIN (total = 1000) Fri Nov 20 22:29:13 2026\n'
    printf 'rank   self  accum   count trace method\n'
    printf '   1 50.00%% 50.00%%    %s00     1 A.run\n' $n
    printf '   2 %s0.00%% 90.00%%       3     2 A.slow\n' $n
    printf 'CPU TIME (ms) END\n'
done | csplit -s -f step - '/^JAVA PROFILE/' '{2}'
hprof-diff --by=cpu --format=json step01 step02 step03 |
    jq -c '.rows[] | select(.rollup) | [.key, .ms, .calls, .grows]'
# -v says what the rows count
for inputs in '--by=cpu samples samples' '--by=cpu step01' \
    '--by=monitor monitors'; do
    # shellcheck disable=SC2086 # an option and files
    hprof-diff -v --threads=1 $inputs 2>&1 >.out | sed 's/, [0-9.]* s,.*//'
done
# gates can be about calls, also in a saved result
hprof-diff --by=cpu --format=json step03 >step03.json
for input in step03 step03.json; do
    for gate in '* calls>299' '* calls>300' 'total growth-calls>199' \
        'A.run growth-calls>200'; do
        code hprof-diff --by=cpu --fail-if="$gate" step01 $input
    done
done
# samples and waits belong to no heap
refused hprof-diff --by=cpu --heap=app samples
refused hprof-diff --by=monitor --heap=app monitors

# percentages are rounded, also if 10,000 times the count exceeds 64 bits
{
    prologue
    printf 'TRACE 2:\n\tA.stop(A.java:4)\n'
    printf 'CPU SAMPLES BEGIN (total = 1113) Fri Nov 20 22:29:13 2026\n'
    printf 'rank   self  accum   count trace method\n'
    printf '   1 61.28%% 61.28%%     682     1 A.run\n'
    printf '   2 38.72%% 100.00%%    431     2 A.stop\n'
    printf 'CPU SAMPLES END\n'
} >share
hprof-diff --by=cpu --format=json share >share.json
jq -c '.rows[] | select(.rollup and .samples[0] > 0) |
    [.samples, .percent]' share.json
sed 's/\b682\b/4000000000000000/g; s/\b1113\b/4000000000000431/g' share.json \
    >large.json
hprof-diff --by=cpu --format=json large.json |
    jq -c '.rows[] | select(.rollup and .samples[0] > 0).percent'
# the columns of cpu and monitor are samples, ms, calls and waits in all
# formats; count and bytes are only for objects
for way in '--by=cpu share' '--by=cpu times' '--by=monitor monitors'; do
    for format in csv tsv rows table; do
        # shellcheck disable=SC2086 # an option and a file
        hprof-diff $way --format=$format >out
        echo "$way $format $(tr -c 'a-z' '\n' <out |
            grep -x 'count\|bytes\|samples\|ms\|calls\|waits' | sort |
            uniq -c | tr -s ' \n' ' ')"
    done
    # shellcheck disable=SC2086
    hprof-diff $way --format=json | jq -c '.schema, .unit, .total,
        (.dumps[0] | del(.path, .timestamp_ms, .dialect, .format)),
        (.rows[0] | del(.frames, .site))'
    # shellcheck disable=SC2086
    hprof-diff $way --format=html | grep -c '"key":"\(count\|bytes\)"'
done
for sort in samples ms calls waits; do
    code hprof-diff --by=cpu --format=csv --top=1 --sort=$sort share times
    sed -n 2p .out
done
hprof-diff --by=cpu --columns=calls,percent times
# results saved when count and bytes had all these meanings (schema 1)
old() {
    jq "del(.rows[].percent, .rows[].$1) | .schema = 1 |
        .dumps[0] |= (. + {objects: .$2, bytes: (.$3 // 0)} | del(.$2, .$3)) |
        .rows[] |= (. + {count: .$2, bytes: (.$3 // [0])} | del(.$2)) |
        .total |= (. + {count: .$2, bytes: (.$3 // [0])} | del(.$2))" "$4"
}
hprof-diff --by=monitor --format=json monitors >monitors.json
old none samples none share.json >old-share.json
old none ms calls saved.json >old-times.json
old none waits ms monitors.json | jq 'del(.unit)' >old-monitors.json
for pair in 'cpu share' 'cpu times' 'monitor monitors'; do
    by=${pair% *} file=${pair#* }
    jq -c '.schema, .total, (.rows[0] | [.count, .bytes, .samples, .ms, .waits])' \
        old-$file.json
    hprof-diff --by=$by --all --format=json old-$file.json >new
    hprof-diff --by=$by --all --format=json $file >want
    jq -c '.changed, .unit, [.rows[] | del(.site)], .total' new >got
    jq -c '.changed, .unit, [.rows[] | del(.site)], .total' want >wanted
    same wanted got
    code hprof-diff --by=$by --exit-code old-$file.json $file
done
jq '.schema = 3' share.json >schema3.json
code hprof-diff --by=cpu schema3.json share
cat .err
