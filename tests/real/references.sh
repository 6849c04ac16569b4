# references.sh - check that each reference in NDJSON has the class of the object
# to which it refers. jq finds the class in the line of this object.
judge=$HPROF_REAL_TESTS/../cli/references.jq
for name in agent/agu_8_heap_all hotspot/rich_8_32_def hotspot/rich_25_coh; do
    dump=$HPROF_REAL_DUMPS/$name.hprof
    [ -e "$dump" ] || continue
    hprof-convert --to=ndjson --elements=none "$dump" >lines 2>err || head -n 3 err
    jq -n -c -f "$judge" lines >out || echo "$name: jq failed"
    # those without a class are as many as hprof-validate says that dangle
    nothing=$(head -n 1 out | jq '.[1]')
    dangling=$(hprof-validate --format=json "$dump" 2>err |
        jq '.files[0].references.dangling')
    [ "$nothing" = "$dangling" ] ||
        echo "$name: $nothing without a class, $dangling dangle"
    [ "$(head -n 1 out | jq '.[0]')" -gt 1000 ] || echo "hardly a reference"
    tail -n +2 out | head -n 3
done
exit 0
