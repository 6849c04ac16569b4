# suspects.sh - check that the suspects are the planted leaks, with the static
# field, the path, the class of the elements and the growth. Dumps without a leak
# must have no suspect.
leaks=$HPROF_REAL_DUMPS/leak
[ -d "$leaks" ] || {
    echo "no dumps of leaks"
    exit 77
}
# What MANIFEST.md says was planted; retained bytes are checked by retained.sh.
cat >want <<'E'
["Leak.LISTENERS (static) → java.util.ArrayList","Leak$LeakyListener",[500,10500]]
["Leak.PLUGINS (static) → java.util.ArrayList","Plugin",[3,53]]
["Leak.SESSIONS (static) → java.util.HashMap","Leak$Session",[300,5300]]
["Leak.chain (static) → Leak$ChainNode","Leak$ChainNode",[100,7100]]
E
for vm in leak_8 leak_17_serial; do
    before=$leaks/${vm}_before.hprof after=$leaks/${vm}_after.hprof
    for threads in 1 2; do
        hprof-diff --retained --threads=$threads --format=json \
            "$before" "$after" >json
        jq -c '.suspects[] | [.path, .element, .elements]' json >got
        cmp -s got want || {
            echo "$vm: suspects differ"
            diff want got
        }
        # the list without elements: every node of it
        jq -e '.suspects[3].holds[0] | .key == "Leak$ChainNode" and
            .count == 7100' json >/dev/null || echo "$vm: the chain"
        # at least what its largest class has
        jq -e '.suspects | length > 0 and all(.[];
            .delta_retained_bytes > 100000 and
            .retained_bytes[1] >= .holds[0].bytes)' json >/dev/null ||
            echo "$vm: bytes"
    done
    # in words: the first is what grew most, and each is told from its field on
    COLUMNS=160 hprof-diff "$before" "$after" >text
    grep -A 1 '^[1-3]  .* of the growth' text | sed '/^--/d;s/)  .*/)/;s/^   *//' >got
    cmp -s got - <<'E' || { echo "$vm: the text"; cat got; }
1  list of 10,500 Leak$LeakyListener (+10,000)
Leak.LISTENERS (static) → java.util.ArrayList
2  list of 53 Plugin (+50)
Leak.PLUGINS (static) → java.util.ArrayList
3  map of 5,300: String → Leak$Session (+5,000)
Leak.SESSIONS (static) → java.util.HashMap
E
    # as rows for a spreadsheet: the fields that keep more, the largest first
    hprof-diff --by=dominator --format=csv "$before" "$after" |
        awk -F, 'NR > 1 && $13 > 100000 { print $1, ($13 > 1000000) }' >got
    cmp -s got - <<'E' || { echo "$vm: CSV"; cat got; }
Leak.LISTENERS (static) 1
Leak.PLUGINS (static) 1
Leak.SESSIONS (static) 1
Leak.chain (static) 0
E
    # on the page, with and without its script
    hprof-diff --retained --format=html "$before" "$after" >page
    for path in 'LISTENERS (static) → java.util.ArrayList' \
        'PLUGINS (static) → java.util.ArrayList' \
        'SESSIONS (static) → java.util.HashMap'; do
        grep -F "<p>   Leak.$path</p>" page >/dev/null &&
            grep -F "\"path\":\"Leak.$path\"" page >/dev/null ||
            echo "$vm: the page does not name Leak.$path"
    done
    for dump in "$before" "$after"; do
        hprof-diff "$dump" "$dump" | grep '^[1-9]  .* of what is'
        hprof-diff --retained --format=json "$dump" "$dump" >json
        jq -e '.suspects == []' json >/dev/null ||
            echo "$dump: suspects where nothing grew"
    done
done
exit 0
