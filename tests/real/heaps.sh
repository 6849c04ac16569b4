# heaps.sh - Android dumps without some of their heaps and classes
#
# Judged by jq from the NDJSON, without a look at what the program believes:
# what is left names nothing that is gone, objects stay as they are, and a
# class that went was named by nothing that stays.
dumps=$HPROF_REAL_DUMPS/android

# named FILE: ids that its records name, without those of sticky and VM
# internal roots.
named() {
    jq -r 'select(.record | test("^(LOAD_CLASS|ROOT_STICKY_CLASS|" +
            "ROOT_VM_INTERNAL|PRIMITIVE|STRING|STACK|HEAP)") | not) |
        (if .record | test("^ROOT_") then .id else empty end),
        .class_id, .super_id, .loader_id, .signers_id, .protection_domain_id,
        (.fields | if type == "object" then .[] else empty end |
            if type == "object" then .id else . end),
        (.elements[]? | if type == "object" then .id else . end),
        (.statics[]?, .constants[]? | select(.type == "object") | .value) |
        strings | select(startswith("0x") and . != "0x0")' "$1" | sort -u
}

for case in O:app O:image leak_service_binder:app leak_service_binder:zygote; do
    dump=$dumps/${case%:*}.hprof
    heap=${case#*:}
    [ -e "$dump" ] || continue
    for prune in "" --prune-classes; do
        # shellcheck disable=SC2086
        hprof-convert --force --heaps="$heap" $prune "$dump" \
            "out$prune" 2>err ||
            { echo "$case $prune: exit $?"; head -n 3 err; }
        hprof-validate --strict --format=json "out$prune" >json 2>err ||
            echo "$case $prune: not valid"
        jq -c --arg c "$case $prune" '.files[] | select(
            .references.dangling > 0) | "\($c): dangling"' json
        hprof-convert --to=ndjson "out$prune" >"json$prune" 2>err
        jq -r 'select(.record == "CLASS_DUMP") | .id' "json$prune" |
            sort -u >"classes$prune"
        jq -r 'select(.record | test("^(INSTANCE|OBJECT_ARRAY|PRIMITIVE)_"))
            | [.record, .id, .class_id, .element_count] | @tsv' \
            "json$prune" >"objects$prune"
    done
    cmp objects objects--prune-classes
    comm -23 classes classes--prune-classes >gone
    [ -s gone ] || echo "$case: nothing was pruned"
    named json--prune-classes | comm -12 - gone >wrong
    [ ! -s wrong ] || { echo "$case: gone, but named:"; head -n 3 wrong; }
    jq -r 'select(.record == "LOAD_CLASS") | .class_id' \
        json--prune-classes | sort -u | comm -12 - gone | head -n 3
done
exit 0
