# retained.sh - compare the object graphs of real dumps with what an independent
# reader found: nodes, reachability, roots, depths, dominators and retained
# objects by class
#
# Each dump is read from a file with two threads, and in two of six other ways,
# which take turns: with one thread, with many threads, from a pipe, compressed
# with gzip, compressed with zstd, and as a pack. With EVERY_WAY=1, each dump is
# read in all ways.
#
# The expected results spell hidden classes "Name+0x1", as the JVM does in
# messages. Dumps and the programs have a slash there. If several dominators have
# the size of the last one in the list, the list may contain any of them.
loosely='.top[-1][0] as $least |
    .top |= map(if .[0] == $least then [.[0]] else . end)'

figures() {
    graph-figures "$@" 2>err |
        jq -S "del(.bytes, .peak, .file_peak) | $loosely" >got
    cmp -s got want && return
    echo "$name: graph-figures $* differs"
    head -n 3 err
    diff want got | head -n 6
}

# Equally large dominators have no order in the truth.
wanted() {
    jq -S '.retained_count |= with_entries(.key |= sub("[+]0x"; "/0x")) |
        .top |= (map([-.[0], (.[1] | sub("[+]0x"; "/0x"))]) | sort |
            map([-.[0], .[1]])) | '"$loosely" "$1"
}

dumps=0
looked=()
for truth in "$HPROF_REAL_DUMPS"/truth/graph/*.json; do
    [ -e "$truth" ] || continue
    name=$(basename "$truth" .json)
    dump=$HPROF_REAL_DUMPS/${name/__//}
    wanted "$truth" >want
    figures -t2 "$dump"
    case $dump in
    *.gz) plain() { gzip -dc "$dump"; } ;;
    *) plain() { cat "$dump"; } ;;
    esac
    for ((way = 0; way < 6; way++)); do
        [ -n "${EVERY_WAY:-}" ] || [ $((way % 3)) -eq $((dumps % 3)) ] ||
            continue
        looked[way]=$((${looked[way]:-0} + 1))
        case $way in
        0) figures -t1 "$dump" ;;
        1) figures -t7 "$dump" ;;
        2) plain | figures -t2 - ;;
        3) plain | gzip -1 >x.gz && figures -t2 x.gz ;;
        4) plain | zstd -q -1 >x.zst && figures -t3 x.zst ;;
        5)
            hprof-convert -q --to=pack "$dump" x.pack || echo "$name: no pack"
            figures -t2 x.pack
            ;;
        esac
    done
    rm -f x.gz x.zst x.pack
    dumps=$((dumps + 1))
done
for ((way = 0; way < 6; way++)); do
    [ "${looked[way]:-0}" -ge 10 ] || echo "way $way: ${looked[way]:-0} dumps"
done
[ "$dumps" -ge 32 ] || echo "only $dumps dumps have a truth"
exit 0
