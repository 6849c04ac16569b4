# --profile=1.0.2: the sub-records of a HEAP DUMP record become segments of at
# most 1 MB. The record has less than 2 MB, so that it is read as a whole.
need jq
u4() {
    # shellcheck disable=SC2059 # bytes
    printf "$(printf '%08x' "$1" | sed 's/../\\x&/g')"
}
# array ID LENGTH: an array of bytes
array() {
    printf '\43' && u4 "$1" && u4 1 && u4 "$2" && printf '\10'
    head -c "$2" /dev/zero
}
{
    array 0x50000001 700000
    array 0x50000002 300000
    array 0x50000003 300000
    array 0x50000004 600000
    array 0x50000005 1000
} >heap
{
    fixture hotspot7 --id-size=4
    printf '\14\0\0\0\0' && u4 "$(wc -c <heap)" && cat heap
} >a
code hprof-convert --profile=1.0.2 a b
# the first one is of the fixture
hprof-convert --to=ndjson --elements=none b | jq -c 'select(.record ==
    "HEAP_DUMP_SEGMENT").length'
for threads in 1 3; do
    hprof-convert --profile=1.0.2 --threads=$threads - <a 2>.err | cmp - b
done
rm a b heap
# --profile=1.0.1: all segments of a dump become one HEAP DUMP record, whose length
# has 32 bits. The arrays are holes in a sparse file.
for last in 1073741810 1073741809; do
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\1\213\317\345\150\0' >a
    for length in 1073741810 1073741810 1073741810 $last; do
        {
            printf '\34\0\0\0\0' && u4 $((length + 14))
            printf '\43' && u4 $length && u4 0 && u4 $length && printf '\10'
        } >>a
        truncate -s "+$length" a || skip "no sparse files"
    done
    printf '\54\0\0\0\0\0\0\0\0' >>a
    # the first bytes of the output suffice: the rest would take 4 GB
    hprof-convert --profile=1.0.1 a 2>.err | command head -c 40 |
        tail -c 9 | od -An -tx1
    cat .err
done
rm a
left_over
