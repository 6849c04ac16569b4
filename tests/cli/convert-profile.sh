# --profile converts a HEAP DUMP into segments and segments into one HEAP DUMP.
# Converting there and back gives the same bytes, and the result is valid.
for name in hotspot hotspot7 hotspot5 sa mat agent agent102 many-segments; do
    fixture "$name" >a || continue
    if [ "$name" = many-segments ]; then
        quiet hprof-convert --standard a s
        mv s a
    fi
    quiet hprof-convert --profile=1.0.1 a one
    quiet hprof-convert --profile=1.0.2 one two
    quiet hprof-convert --profile=1.0.1 two back
    same_or_say "$name: not the same there and back" one back
    hprof-convert --profile=1.0.1 - <a 2>.err | cmp - one
    hprof-convert --profile=1.0.2 --threads=1 - <one 2>.err | cmp - two
    head -c 18 one two | grep -ac 'PROFILE 1.0.[12]$'
    hprof-validate --format=json one two | jq -c --arg name "$name" '.files[] |
        [$name, .verdict, (.records | keys | map(select(test("HEAP_DUMP"))))]'
    for f in one two; do
        [ "$(hprof-validate --format=json $f | jq -c ".files[].subrecords")" = "$(hprof-validate --format=json a | jq -c ".files[].subrecords")" ] ||
            echo "$name: other sub-records in $f"
    done
    rm -f one two back
done
# no empty segment is left, and nothing else changes
fixture many-segments | hprof-convert --standard - s 2>.err
quiet hprof-convert --profile=1.0.2 s b
for f in s b; do
    hprof-convert --to=ndjson $f 2>.err | jq -c 'select(.length != 0 or
        .record != "HEAP_DUMP_SEGMENT") | del(.offset)' >$f.json
    hprof-validate --format=json $f | jq '.files[].records.HEAP_DUMP_SEGMENT,
        ([.files[].rules[] | select(.rule == "segment-empty").count] | add)' |
        paste -sd ' '
done
same s.json b.json
rm -f s b s.json b.json
fixture art >a
code hprof-convert --profile=1.0.2 a b
code hprof-convert --profile=1.0.3 a b
left_over a
# an empty segment stays a segment; a HEAP DUMP of length 0 means that its
# writer died
printf 'JAVA PROFILE 1.0.2\0\0\0\0\10\0\0\1\210\0\0\0\0' >a
printf '\34\0\0\0\7\0\0\0\0,\0\0\0\0\0\0\0\0' >>a
refused hprof-convert --profile=1.0.1 a one
left_over a
quiet hprof-convert --profile=1.0.2 a two
same a two
hprof-validate --format=json two | jq -c '.files[] | [.verdict, .records]'
# the message comes before anything is written, whatever comes before that
# record
{
    head -c 31 a
    printf '\1\0\0\0\0\0\100\0\10\0\0\0\0\0\0\0\1'
    head -c 4194304 /dev/zero
    tail -c +32 a
} >long
for threads in 1 2; do
    hprof-convert --threads=$threads --profile=1.0.1 long 2>.err | wc -c
    cat .err
done
rm -f long
rm -f two
