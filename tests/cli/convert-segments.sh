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
left_over
