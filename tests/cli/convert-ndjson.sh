# --to=ndjson writes one line of valid JSON for every record and sub-record. A
# pipe or one thread gives the same result.
worlds | while read -r name size; do
    fixture "$name" --id-size="$size" >a
    quiet hprof-convert --to=ndjson a b
    hprof-validate --format=json a 2>.err | jq -cS '.files[] |
        .records + .subrecords | with_entries(select(.value > 0))' >want
    jq -cS .record b | sort | uniq -c |
        jq -RcnS '[inputs | capture("(?<n>[0-9]+) \"(?<k>.*)\"") |
            {(.k): (.n | tonumber)}] | add' >got
    same_or_say "$name $size: counts" want got
    hprof-convert --to=ndjson --threads=1 - <a 2>.err | cmp - b
    rm -f b
done
fixture hostile-names >a
hprof-convert --to=ndjson a | jq -r .record >.out || echo "no JSON"
hprof-convert --to=ndjson a | LC_ALL=C tr -d '\n' |
    LC_ALL=C grep -c '[[:cntrl:]]'
fixture hotspot >a
hprof-convert --to=ndjson a |
    jq -c 'select(.record == "INSTANCE_DUMP") | [.class, .fields]' | head -n 1
# a null reference stays null even if a class has id 0
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\0'
    printf '\1\0\0\0\0\0\0\0\6\0\0\0\1no'
    printf '\2\0\0\0\0\0\0\0\20\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1'
    printf '\34\0\0\0\0\0\0\0\126\40\0\0\0\0'
    head -c 38 /dev/zero
    printf '\40\0\0\0\7'
    head -c 38 /dev/zero
    printf '\54\0\0\0\0\0\0\0\0'
} >a
hprof-convert --to=ndjson a | jq -c 'select(.record == "CLASS_DUMP") |
    [.id, .name, .super, .loader_class]'
# fields of one name in a class have different keys
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\0'
    printf '\1\0\0\0\0\0\0\0\5\0\0\0\1a\1\0\0\0\0\0\0\0\5\0\0\0\2a'
    printf '\1\0\0\0\0\0\0\0\5\0\0\0\3A'
    printf '\2\0\0\0\0\0\0\0\20\0\0\0\1\0\0\0\7\0\0\0\0\0\0\0\3'
    printf '\34\0\0\0\0\0\0\0\130\40\0\0\0\7'
    head -c 28 /dev/zero
    printf '\0\0\0\10\0\0\0\0\0\4'
    printf '\0\0\0\1\4\0\0\0\1\12\0\0\0\1\10\0\0\0\2\11'
    printf '\41\0\0\0\10\0\0\0\0\0\0\0\7\0\0\0\10\1\0\0\0\2\3\0\4'
    printf '\54\0\0\0\0\0\0\0\0'
} >a
hprof-convert --to=ndjson a | grep -o '"fields":{.*}'
# a record has the same name in NDJSON and in hprof-validate's JSON, or its tag
{
    fixture tiny
    printf '\20\0\0\0\0\0\0\0\1x\21\0\0\0\0\0\0\0\0\167\0\0\0\0\0\0\0\1x'
} >a
hprof-convert --to=ndjson a | jq -r .record | sort -u >got
hprof-validate --format=json a |
    jq -r '.files[0] | .records, .subrecords | keys[]' | sort >want
same want got
grep 0x got
fixture cut-array >a
code hprof-convert --to=ndjson a b
left_over a got want
no_temp
# A dump that ends inside a long array has the same lines in a file, through a pipe
# and in a container: those of the whole sub-records before this array.
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\0'
    printf '\34\0\0\0\0\2\0\0\0'
    printf '#\0\0\0\1\0\0\0\0\0\0\0\2\10\1\2'
    printf '#\0\0\0\2\0\0\0\0\1\0\0\0\10'
    head -c 12000000 /dev/zero
} >whole
damaged() {
    hprof-convert --to=ndjson "$1" - 2>.err
    [ $? = 1 ] || problem "$1: $(cat .err)"
}
for size in 70 1000 1100000 9500000 12000000; do
    head -c $size whole >a
    gzip -1 <a >a.gz
    zstd -q -f a
    damaged a >want
    for input in a.gz a.zst; do
        damaged $input >got
        cmp want got || problem "$size: other lines from $input"
    done
    for input in a a.gz; do
        damaged - <$input >got
        cmp want got || problem "$size: other lines from $input in a pipe"
    done
    looked
done
looked_at 5
jq -c 'del(.time)' want
# a container that ends too early
head -c 9000 a.gz >b.gz
damaged b.gz | jq -c 'del(.time)'
cat .err
# Each of many dumps in a file takes little memory. The number of threads does
# not decide whether the classes of all objects fit into --memory.
tiny_dumps 12 >dump
{
    printf 'JAVA PROFILE 1.0.1\0\0\0\0\4\0\0\0\0\0\0\0\0'
    printf '\1\0\0\0\0\0\0\0\5\0\0\0\3A'
    printf '\2\0\0\0\0\0\0\0\20\0\0\0\1\0\0\0\7\0\0\0\0\0\0\0\3'
    cat dump
} >a
for threads in 1 2 8; do
    hprof-convert --to=ndjson --memory=100M --threads=$threads a >b 2>.err
    cat .err
    grep -c '"elements":\[{"id":"0x8","class":"A"},{"id":"0x9","class":"A"}\]' b
done
