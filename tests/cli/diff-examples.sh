# --examples: the largest and the newest elements of suspects
need jq
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
hprof-diff --retained --format=json a b >json
jq -c '.suspects[] | [.label, (.examples.largest | length),
    (.examples.newest // [] | length)]' json
jq -c '.suspects[0].examples.newest[0]' json
# the table has the id of the object
hprof-diff a b | grep -c "object $(jq -r '.suspects[0].object' json) "
# the elements of the list, from the lines that hprof-convert writes
hprof-convert --to=ndjson --graph b >lines
array=$(hprof-diff --object="$(jq -r '.suspects[0].object' json)" --format=json b |
    jq -r '.object.fields[] | select(.name == "elementData").refers_to')
grep -F "$array" lines >few
jq -r --arg of "$array" 'select(.dominator | objects | .id == $of) |
    .retained_bytes' few | sort -rn | head -n 5 >want
jq -r '.suspects[0].examples.largest[].retained_bytes' json >got
same got want
jq -r --arg of "$array" 'select(.record == "OBJECT_ARRAY_DUMP" and .id == $of) |
    .elements[] | objects | .id' few | tail -n 5 | tac >want
jq -r '.suspects[0].examples.newest[].id' json >got
same got want
# each example is what --object shows
jq -c '.suspects[].examples | .largest[], (.newest // [])[] |
    [.id, .retained_bytes, .fields]' json | sort -u >got
jq -r '.suspects[].examples | .largest[], (.newest // [])[] | .id' json |
    sort -u | while read -r id; do
    hprof-diff --object="$id" --format=json b
done | jq -c '.object | [.id, .retained_bytes, .fields]' | sort >want
same got want
# other numbers of examples; values only on request
for n in 0 1 100; do
    hprof-diff --retained --examples=$n --format=json a b |
        jq -c '.suspects[0].examples | [.largest, .newest] | map(length)'
done
hprof-diff --retained --examples=1 --show-values --format=json b |
    jq -c '.largest_owners[].examples | objects | .largest[].fields[] |
        select(.text or (.value != null)) | [.name, .value, .text]' | head -n 4
jq -c '.suspects[].examples.largest[].fields[] | select(.value or .text)' json
refused hprof-diff --examples=101 b
# several owners are examples themselves; lists, and every kind of dump
fixture leak-before >1
fixture leak-after >2
hprof-diff --retained --format=json 1 2 | jq -c '.suspects[] |
    [.label, (.examples | map_values(map([.class, .retained_bytes])))]'
while read -r name size; do
    fixture "$name" --id-size="$size" >dump
    hprof-diff --retained --format=json dump |
        jq -e '[.largest_owners[].examples | objects | .largest[]] |
            all(.retained_bytes >= .bytes)' >.out || echo "$name $size"
    looked
done < <(worlds)
looked_at 21
# a page has the same objects
hprof-diff --format=html a b >page.html
grep -o "$(jq -r '.suspects[0].examples.newest[0].id' json)" page.html | head -n 1 |
    wc -l
