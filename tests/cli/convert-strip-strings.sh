# --strip-strings, checked by jq from the lines of both dumps. A STRING that is
# a name stays. Every other STRING becomes question marks of the same length.
# Nothing else changes.
need jq
{
    all_worlds
    echo hostile-names 8
    echo all-tags 8
} | while read -r name size; do
    fixture "$name" --id-size="$size" >a
    hprof-convert --strip-strings a b 2>.err || echo "$name $size: exit $?"
    for f in a b; do
        hprof-convert --to=ndjson $f 2>.err >$f.json
        # a reference to a removed text is shown by its id
        grep -v '^{"record":"STRING"' $f.json >$f.rest
    done
    same_or_say "$name $size: not only strings" a.rest b.rest
    jq -n -r --argjson id "$size" --slurpfile b b.json '
        [inputs] | . as $a |
        (reduce ($a[] | (.name_id, .method_name_id, .method_signature_id,
            .source_file_id, .group_name_id, .group_parent_name_id,
            .heap_name_id | strings)) as $i ({}; .[$i] = true)) as $ids |
        (reduce ($a[] | (.statics[]?, .fields[]?) | objects | .name | strings)
            as $t ({}; .[$t] = true)) as $texts |
        range($a | length) | . as $i | $a[$i] |
        select(.record == "STRING") |
        (if $ids[.id] or $texts[.text] then .text
         else "?" * (.length - $id) // "" end) as $want |
        select($b[$i].text != $want or $b[$i].length != .length or
            $b[$i].id != .id) | "\(.id) \(.text): \($b[$i].text)"' a.json |
        head -n 3
    jq -s -c --arg name "$name $size" '[.[] | select(.record == "STRING") |
        select(.text | test("^[?]+$"))] | [$name, length]' b.json
    rm b
done
# Id 0 is not a name: a STRING with this id is removed, although frames without
# a source file, threads without a group and classes without a name have id 0.
zeros() { # BYTES
    head -c "$1" /dev/zero
}
for size in 4 8; do
    fixture string-id-zero --id-size=$size >a
    {
        printf '\004\0\0\0\0\0\0\0%b' "\\0$(printf %o $((4 * size + 8)))"
        zeros $((4 * size + 8)) # STACK FRAME
        printf '\012\0\0\0\0\0\0\0%b' "\\0$(printf %o $((4 * size + 8)))"
        zeros $((4 * size + 8)) # START THREAD
        printf '\002\0\0\0\0\0\0\0%b' "\\0$(printf %o $((2 * size + 8)))"
        zeros $((2 * size + 8)) # LOAD CLASS
    } >>a
    [ "$(grep -a -c 'no id' a)" -eq 1 ] && looked
    for o in --strip-strings --shape-only; do
        hprof-convert $o a b 2>.err || echo "$o $size: exit $?"
        [ -s b ] && ! grep -a -q 'no id' b && looked || echo "$o $size: id 0"
        rm b
    done
done
looked_at 6
