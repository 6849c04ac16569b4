# --by=root counts the roots of each kind by the class of their objects.
need jq
top=$(dirname "$2")/../..
rows() {
    hprof-diff --by=root --format=json "$@"
}
# the same as the rows of a brute-force count that are about roots
worlds | while read -r name size; do
    fixture "$name" --id-size="$size" >dump
    "$top/tests/holders" dump >all || problem "$name $size: no oracle"
    grep '^(' all | grep -vE \
        "^\((an object's class|super class|class loader|signers|protection domain|constant pool)\)" \
        >want
    rows --dump=1 --normalize=off dump |
        jq -r '.rows[] | [.key, .count[0], .references[0]] | @tsv' |
        LC_ALL=C sort >got
    same_or_say "$name $size" want got
    looked
done
looked_at 21
# a leak of JNI global references: twelve more of them refer to three objects
fixture hotspot >a
id=$(hprof-convert --to=ndjson a |
    jq -r 'select(.record == "PRIMITIVE_ARRAY_DUMP") | .id' | head -n 3)
{
    head -c -9 a
    printf '\x1c\0\0\0\0\0\0\0\xcc' # 12 sub-records of 17 bytes
    for reference in 1 2 3 4; do
        for object in $id; do
            printf "\\x01$(printf %016x "$object" | sed 's/../\\x&/g')"
            printf '\0\0\0\0\0\0\0\1'
        done
    done
    tail -c 9 a
} >b
hprof-validate b >.out && echo valid
rows a b | jq -c '.rows[] | select(.delta_references != 0) |
    [.key, .delta_count, .delta_references]'
# the pattern of a gate matches the whole row key, the kind of root, or the
# class
for gate in '(JNI global) → * growth-references>3' '(JNI global) growth-count>0' \
    'byte[] growth-references>3' '(JNI global) growth-references>4'; do
    hprof-diff --by=root --fail-if="$gate" a b >.out 2>.err
    echo "$? $gate"
done
# from a saved result, from a pipe, and with any number of threads
rows a >saved.json
for threads in 1 3; do
    rows --threads=$threads a b | jq .rows >want
    rows saved.json b | jq .rows >got
    same want got
    cat b | rows a - | jq .rows >got
    same want got
done
# An object to which several roots refer counts in several rows, so there is no
# total, and a gate on it is refused.
code hprof-diff --by=root --fail-if='total growth>1' a b
