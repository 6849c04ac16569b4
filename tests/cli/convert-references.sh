# --to=ndjson: each reference has the class of its target. jq checks this from
# the lines themselves. If the memory is too small, references have no class,
# and a message says so.
judge=$(dirname "$2")/references.jq
need jq
{
    all_worlds
    echo two-dumps 4
    echo two-dumps-102 4
    echo uses-large 8
    echo classes-last 8
} | while read -r name size; do
    fixture "$name" --id-size="$size" >a
    hprof-convert --to=ndjson a 2>.err >b
    echo "$name $size $(jq -n -c -f "$judge" b | head -n 3 | paste -sd ' ')"
    hprof-convert --to=ndjson --threads=1 - <a 2>.err | cmp - b
done
# thousands of additional dumps with a class each: their tables do not fit
{
    printf '\14\0\0\0\0\0\0\0\53\40\20\0\0\10'
    head -c 38 /dev/zero
} >one
for _ in 0 1 2 3 4 5 6 7 8 9; do
    cat one one one one one one one one one one
done >hundred
{
    fixture hotspot --id-size=4
    for _ in 0 1 2 3 4 5 6 7 8 9; do
        cat hundred hundred hundred hundred
    done
} >a
rm one hundred
hprof-convert --force --to=ndjson --memory=40MB a b 2>&1 | sed 's/.*a: //'
head -n 1 b
hprof-convert --to=ndjson a | jq -c 'walk(if type == "object" and has("class")
    and has("record") == false then .class = null else . end)' >c
tail -n +2 b | jq -c . | diff - c | grep -v '"ROOT_\|_class":' | grep '^[<>]'
rm b
# the values of an object are one column, whatever the names of the fields
fixture hotspot25 >a
hprof-convert --to=ndjson a | jq -c 'select(.record == "CLASS_DUMP" and
    (.statics | length) > 0) | [.name, .statics[0]]' | head -n 1
hprof-convert --to=ndjson a | jq -c 'select(.record == "ROOT_STICKY_CLASS") |
    [.class, .name]' | head -n 1
