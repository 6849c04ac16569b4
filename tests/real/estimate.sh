# estimate.sh - check the estimated sizes of heaps in other JVMs (--estimate)
D=$HPROF_REAL_DUMPS/hotspot

# bytes NAME JDK OPTIONS: print the size of the heap in a JVM, and the size of
# the dump
bytes() {
    hprof-diff --estimate --format=json "$D/$1.hprof" |
        jq -r --argjson jdk "$2" --arg options "$3" '"\(.estimates[] |
            select(.jdk == $jdk and .options == $options).bytes) \(.bytes)"'
}

# close WHAT A B PER_MILLE: print a message if A and B differ by more
close() {
    awk -v what="$1" -v a="$2" -v b="$3" -v most="$4" 'BEGIN {
        off = 1000 * (a > b ? a - b : b - a)
        if (!(b > 100000) || off > most * b)
            print what ": " a " instead of " b
    }'
}

# the estimate for the JVM of the dump itself is the size of the dump
while read -r name jdk options; do
    [ -e "$D/$name.hprof" ] || continue
    read -r estimate size < <(bytes "$name" "$jdk" "$options")
    close "$name" "$estimate" "$size" 0.1
    : >looked
done <<'L'
rich_8_def 8
rich_11_def 8
rich_17_def 17
rich_17_nocoops 17 -XX:-UseCompressedOops
rich_17_zgc 17 -XX:-UseCompressedOops
rich_21_def 17
rich_25_def 25
rich_25_coh 25 -XX:+UseCompactObjectHeaders
rich_25_coh 27
L
# two dumps of one program, without and with compact headers
if [ -e "$D/rich_25_def.hprof" ] && [ -e "$D/rich_25_coh.hprof" ]; then
    read -r to_plain compact < <(bytes rich_25_coh 25 "")
    read -r to_compact plain < <(bytes rich_25_def 25 \
        -XX:+UseCompactObjectHeaders)
    close "without compact headers" "$to_plain" "$plain" 5
    close "with compact headers" "$to_compact" "$compact" 5
fi
# no line is wider than the terminal
for width in 80 100 160; do
    COLUMNS=$width hprof-diff --estimate "$D/rich_25_def.hprof" >out
    [ "$(LC_ALL=C.UTF-8 wc -L <out)" -le $width ] || echo "wider than $width"
done
[ -e looked ] || exit 77
exit 0
