# heaps.sh - check Android dumps from which hprof-convert removed heaps or classes
#
# jq checks the NDJSON of the output. The output must not refer to a removed
# object, and the kept objects must not change. A class may be removed only if
# nothing in the output refers to it.
dumps=$HPROF_REAL_DUMPS/android

# ids: of the NDJSON that comes in lines "class ID", "object RECORD ID CLASS_ID
# LENGTH", "load ID", and "names ID" of what its records name, without sticky and
# VM internal roots. (A regular expression is compiled for each line: none.)
ids() {
    jq -r '.record as $record | ($record | startswith("ROOT_")) as $root |
        if $record == "CLASS_DUMP" then "class\t\(.id)"
        elif $record == "LOAD_CLASS" then "load\t\(.class_id)"
        elif $root then empty
        else "object\t\($record)\t\(.id)\t\(.class_id)\t\(.element_count)"
        end,
        (select(($record | startswith("PRIMITIVE") or . == "LOAD_CLASS" or
            . == "ROOT_STICKY_CLASS" or . == "ROOT_VM_INTERNAL") | not) |
        (if $root then .id else empty end),
        .class_id, .super_id, .loader_id, .signers_id, .protection_domain_id,
        (.fields | if type == "object" then .[] else empty end |
            if type == "object" then .id else . end),
        (.elements[]? | if type == "object" then .id else . end),
        (.statics[]?, .constants[]? | select(.type == "object") | .value) |
        strings | select(startswith("0x") and . != "0x0") | "names\t\(.)")'
}

# of KIND: their lines of the file `ids`, sorted
of() {
    sed -n "s/^$1\t//p" ids | sort -u
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
        hprof-convert --to=ndjson --elements=none "out$prune" 2>err |
            grep -v '^{"record":"\(STRING\|STACK_\|HEAP_\)' | ids >ids
        of class >"classes$prune"
        sed -n 's/^object\t//p' ids >"objects$prune"
        [ -s "objects$prune" ] || echo "$case $prune: no objects"
    done
    cmp objects objects--prune-classes
    comm -23 classes classes--prune-classes >gone
    [ -s gone ] || echo "$case: nothing was pruned"
    of names >named # of the pruned one
    [ -s named ] || echo "$case: nothing is named"
    comm -12 named gone >wrong
    [ ! -s wrong ] || { echo "$case: gone, but named:"; head -n 3 wrong; }
    of load | comm -12 - gone | head -n 3
done
exit 0
