# lines.sh - compare the NDJSON of --graph with what an independent reader found.
# The numbers come from the lines of the objects.
names='agent__agu_8_heap_all.hprof android__leak_service_binder.hprof
    hotspot__tiny_8.hprof hotspot__jhsdb_17.hprof hotspot__rich_8_32_def.hprof
    leak__leak_17_serial_after.hprof'
cli=$HPROF_REAL_TESTS/../cli
dumps=0
for name in $names; do
    truth=$HPROF_REAL_DUMPS/truth/graph/$name.json
    [ -e "$truth" ] || continue
    hprof-convert --to=ndjson --graph --elements=none --dump=1 \
        "$HPROF_REAL_DUMPS/${name/__//}" 2>err |
        grep '"retained_count":' | jq -R -r -f "$cli/graph-lines.jq" >lines ||
        { echo "$name: exit $?"; head -n 3 err; }
    awk -F '\t' '{ all++ }
        $3 != "-" {
            n++; depths += $3; top += $4 == "-"
            if ($3 > deepest) deepest = $3
        }
        END { print all, n, top, deepest, depths }' lines >got
    awk -f "$cli/graph-lines.awk" lines | cut -f1,2 | sort >>got
    jq -r '"\(.objects) \(.reachable) \(.top_level_dominators) " +
        "\(.max_depth) \(.sum_depth)"' "$truth" >want
    jq -r '.retained_count | to_entries[] |
        "\(.key | sub("[+]0x"; "/0x"))\t\(.value)"' "$truth" | sort >>want
    cmp -s want got || { echo "$name differs"; diff want got | head -n 6; }
    dumps=$((dumps + 1))
done
[ "$dumps" -eq 6 ] || echo "looked at $dumps dumps"
exit 0
