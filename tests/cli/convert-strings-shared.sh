# --strings: if several Strings share an array, only the first has a value of
# more than 256 bytes. The others have the id of the array. So the output stays
# small, and it is the same for any number of threads.
# needs: text
need jq
u4() {
    # shellcheck disable=SC2059 # bytes
    printf "$(printf '%08x' "$1" | sed 's/../\\x&/g')"
}
# the arrays 0x50000001, 0x50000002, ... have these lengths
lengths='10 256 257 1000 60000 100000'
arrays() {
    local n id=0
    for n in $lengths; do
        id=$((id + 1))
        case " $* " in *" $id "*) ;; *) continue ;; esac
        printf '\43' && u4 $((0x50000000 + id)) && u4 1 && u4 "$n" &&
            printf '\10'
        head -c "$n" /dev/zero | tr '\0' "$id"
    done
}
# write six Strings, one for each array, as many times as given
strings() {
    local id
    for id in 1 2 3 4 5 6; do
        printf '\41' && u4 $((0x60000000 + id)) && u4 1 && u4 0x10200 &&
            u4 5 && u4 $((0x50000000 + id)) && printf '\0'
    done >block
    for ((i = 0; i < $1; i++)); do
        cat block block >twice
        mv twice block
    done
    cat block
    rm block
}
{
    arrays 1 3 5
    strings 14 # 2 MB: several batches
    arrays 2 4 6
} >heap
{
    fixture strings --id-size=4 | head -c -9
    printf '\34\0\0\0\0' && u4 "$(wc -c <heap)" && cat heap
    printf '\54\0\0\0\0\0\0\0\0'
} >a
hprof-convert --to=ndjson --elements=0 --strings a 2>.err | grep '"id":"0x6' >lines
# the Strings of each array, in order: groups of equal lines
for id in 1 2 3 4 5 6; do
    grep "\"id\":\"0x6000000$id\"" lines |
        jq -r '"\(.value // "" | length) \(.value_array)"' | uniq -c |
        sed 's/^ *//'
done
for threads in 1 2 16; do
    hprof-convert --to=ndjson --elements=0 --strings --threads=$threads - \
        <a 2>.err | grep '"id":"0x6' | cmp - lines
done
# the text output has the same values, and can be read again
hprof-convert --to=text --strings a b 2>.err
grep '^OBJ 6' b | cut -c 1-90 | sort | uniq -c | sed 's/^ *//'
hprof-convert --to=text --strings --threads=1 - <a 2>.err | cmp - b
hprof-diff --format=json b | jq -c '.rows[] |
    select(.key == "java.lang.String").count' >got
hprof-diff --format=json a | jq -c '.rows[] |
    select(.key == "java.lang.String").count' >want
same want got
rm a b got want heap lines
left_over
no_temp
