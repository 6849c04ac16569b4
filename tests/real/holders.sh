# holders.sh - compare the references between classes with those that
# tests/holders counts from NDJSON by brute force. Also check that the rows of the
# planted leaks contain the static fields, and what grows below them.
command -v jq >/dev/null || exit 77
dumps=0
for name in hotspot/tiny_8.hprof agent/ag_8_all.hprof ahat/RI.hprof \
    mat/sun_jdk5_13_x32.hprof hprof-slurp/hprof-32.bin \
    leak/leak_8_before.hprof; do
    dump=$HPROF_REAL_DUMPS/$name
    [ -e "$dump" ] || continue
    ln -sf "$dump" dump
    "$HPROF_REAL_TESTS/../holders" dump >want || echo "$name: no oracle"
    hprof-diff --by=holder --normalize=off --format=json --dump=1 dump |
        jq -r '.rows[] | [.key, .count[0], .references[0]] | @tsv' |
        sort >got
    [ -s want ] || echo "$name: nothing held"
    cmp -s want got || {
        echo "$name: differs"
        diff want got | head -n 6
    }
    dumps=$((dumps + 1))
done
[ "$dumps" -ge 6 ] || echo "only $dumps dumps were there"

pairs=0
for pair in leak_8 leak_17_serial; do
    before=$HPROF_REAL_DUMPS/leak/${pair}_before.hprof
    after=$HPROF_REAL_DUMPS/leak/${pair}_after.hprof
    [ -e "$after" ] || continue
    hprof-diff --by=holder --all --format=json "$before" "$after" >json
    for want in 'Leak.SESSIONS (static) → java.util.HashMap 1 1' \
        'Leak.LISTENERS (static) → java.util.ArrayList 1 1' \
        'Leak.chain (static) → Leak$ChainNode 1 1' \
        'java.util.HashMap$Node.value → Leak$Session 300 5300' \
        'java.lang.Object[] → Leak$LeakyListener 500 10500' \
        'Leak$LeakyListener.payload → byte[] 500 10500' \
        'java.lang.Object[] → Leak$Freed 3000 1000'; do
        jq -r '.rows[] | "\(.key) \(.count[0]) \(.count[1])"' json |
            grep -xF "$want" >/dev/null || echo "$pair: not there: $want"
    done
    hprof-diff --by=holder --fail-if='Leak$Session growth-count>4999' -q \
        "$before" "$after" >out
    [ $? -eq 1 ] || echo "$pair: the gate did not trip"
    pairs=$((pairs + 1))
done
# native memory: direct buffers, and what
# the cleaners of Android name
while read -r name class bytes; do
    dump=$HPROF_REAL_DUMPS/$name
    [ -e "$dump" ] || continue
    got=$(hprof-diff --columns=native --format=csv "$dump" |
        awk -F, -v class="$class" '$1 == class { print $2 }')
    [ "$got" = "$bytes" ] || echo "$name: $class owns $got, not $bytes"
done <<END
hotspot/rich_17_def.hprof java.nio.DirectByteBuffer 12345
hotspot/rich_25_def.hprof java.nio.DirectByteBuffer 12345
mat/oracle_jdk7_75_x64_directmemory.hprof java.nio.DirectByteBuffer 7340032
android/O.hprof java.lang.Object 50000
END
[ "$pairs" -eq 2 ] || echo "only $pairs pairs were there"
exit 0
