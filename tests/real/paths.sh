# paths.sh - check that --by=path shows the planted leaks and nothing else, and
# that paths do not depend on the number of threads. Also check the paths to
# objects of a known program.
leaks=$HPROF_REAL_DUMPS/leak
[ -d "$leaks" ] || {
    echo "no dumps of leaks"
    exit 77
}
cat >want <<'W'
["Leak.FREED (static) → java.util.ArrayList[*] → Leak$Freed",[3000,1000]]
["Leak.LISTENERS (static) → java.util.ArrayList[*] → Leak$LeakyListener",[500,10500]]
["Leak.PLUGINS (static) → java.util.ArrayList[*] → Plugin",[3,53]]
["Leak.SESSIONS (static) → java.util.HashMap",[302,5302]]
["Leak.chain (static) → Leak$ChainNode",[100,7100]]
W
for vm in leak_8 leak_17_serial; do
    before=$leaks/${vm}_before.hprof after=$leaks/${vm}_after.hprof
    for threads in 1 2; do
        hprof-diff --by=path --threads=$threads --format=json \
            "$before" "$after" >json.$threads
        jq -c '.rows[] | select(.key | startswith("java.") or
            startswith("sun.") or startswith("jdk.") | not) |
            [.key, .count]' json.$threads | sort >got
        cmp -s want got || diff want got | sed "s/^/$vm: /"
    done
    jq .rows json.1 >one
    jq .rows json.2 | cmp -s - one || echo "$vm: threads matter"
    # what leaked was nowhere else before
    jq -r '.rows[] | select(.moved and (.key | startswith("Leak."))) |
        "\(.key) moved from \(.moved.from)"' json.1
    # what else changed is little, but for files that wait for their finalizer
    jq -r '.rows[] | select(.key | startswith("Leak.") or
        startswith("java.lang.ref.Finalizer.") | not) |
        select(.delta_retained_bytes > 10000) | .key' json.1
    hprof-diff --by=path --format=json "$after" "$after" | jq -r '.rows[].key'
done
# paths begin at statics, threads and what their stacks hold
rich=$HPROF_REAL_DUMPS/hotspot/rich_17_def.hprof
hprof-diff --by=path --format=json "$rich" >json
jq -r '.rows[] | select(.key | endswith("→ Rich$StackLocal")) |
    .count[0]' json | awk '{ n += $1 } END { print n }' >got
echo 3826 | cmp -s - got || echo "StackLocal: $(cat got)"
jq -e '[.rows[] | select(.key == "thread \"very-deep\", " +
    "local of Rich.deep → Rich$StackLocal") | .count[0]] == [3001]' json \
    >/dev/null || echo "very-deep: its locals"
jq -e '([.rows[].count[0]] | add) == .dumps[0].reachable.objects and
    ([.rows[].bytes[0]] | add) == .dumps[0].reachable.bytes' json >/dev/null ||
    echo "rich_17_def: not every object is on a path"
# the entries of Android's old maps are inside of these
binder=$HPROF_REAL_DUMPS/android/leak_service_binder.hprof
hprof-diff --by=path --all --format=json "$binder" >json
jq -r '.rows[].key | select(contains("HashMapEntry") or
    contains("HashtableEntry")) |
    select(startswith("system class") or contains("EMPTY_TABLE") | not)' json
[ "$(jq '.rows | length' json)" -gt 1000 ] || echo "binder: few paths"
# a saved result stands for its dump, but for the labels of rows: many of these
# classes have no bytes in one dump and some in the other, and many objects
# moved; those of plugins' classes are nested in what keeps their loaders
stands() { # BEFORE AFTER OPTION ROWS
    local name x y
    name=$(basename "$1" .hprof)
    hprof-diff --by=path --format=json "$1" >first.json
    hprof-diff --by=path --format=json "$2" >last.json
    hprof-diff --by=path $3 --format=json "$1" "$2" | jq -c '.rows[] | del(.label)' >want
    [ "$(wc -l <want)" -ge "$4" ] || echo "$name: few paths"
    for saved in "first.json $2" "$1 last.json" "first.json last.json"; do
        read -r x y <<<"$saved"
        hprof-diff --by=path $3 --format=json "$x" "$y" | jq -c '.rows[] | del(.label)' |
            cmp -s - want || echo "$name: a saved result makes a difference"
    done
}
stands "$binder" "$HPROF_REAL_DUMPS/android/O.hprof" --all 10000
jq -s 'map(select(.moved)) | length > 100' want | grep -q true ||
    echo "binder and O: few paths that moved"
for dump in "$HPROF_REAL_DUMPS"/leak/*_before.hprof; do
    stands "$dump" "${dump/before/after}" "" 5
done
exit 0
