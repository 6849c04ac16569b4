# --object shows one object: its fields, what refers to it and what keeps it
need jq
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
# the ids in JSON lead from a suspect to its fields and back
id=$(hprof-diff --retained --format=json b | jq -r '.largest_owners[0].object')
hprof-diff --object="$id" b | sed 's/0x[0-9a-f]*/ID/g'
hprof-diff --object="$id" --format=json b >json
jq -c '.object | [.class, .kind, .retained_count, .path, .root]' json
field=$(jq -r '.object.fields[] | select(.name == "elementData").refers_to' json)
hprof-diff --object="$field" --format=json b >array
jq -c '.object | [.class, .length, (.elements | length), .more_elements,
    .dominator.class, [.referred_to_by[].field]]' array
# a decimal id is the same object
hprof-diff --object="$((id))" --format=json b >got
same got json
# no number of threads, no pipe and no compression changes anything
hprof-diff --object="$id" --threads=3 --format=json - <b | plain_json - >got
plain_json json >want
same want got
zstd -q -c b >z
hprof-diff --object="$id" --format=json z | plain_json - >got
same want got
# values and texts are shown only on request
fixture hotspot >dump
for id in 0x70010090 0x700101b0 0x70001300 0x700101f8; do
    hprof-diff --object=$id --format=json dump >json
    grep '"value"\|"text"' json
    hprof-diff --object=$id --show-values dump
done
fixture uses-large >large
for id in $(hprof-convert --to=ndjson large |
    jq -r 'select(.record == "PRIMITIVE_ARRAY_DUMP" and .length > 1000).id' |
    head -n 2); do
    hprof-diff --object="$id" --format=json large |
        jq -c '.object | [.class, .length, (.elements | length)]'
    hprof-diff --object="$id" --show-values --format=json large |
        jq -c '.object | [.length, (.elements | length), .elements[1],
            .more_elements]'
done
# an object that only its finalizer keeps, a weak reference, an object that
# nothing keeps
fixture finalizer-stuck >stuck
id=$(hprof-convert --to=ndjson stuck | jq -r 'select(.record == "INSTANCE_DUMP"
    and .class == "com.acme.Slow").id' | tail -n 1)
hprof-diff --object="$id" stuck
fixture unreachable >lost
id=$(hprof-convert --to=ndjson --graph lost | jq -r 'select(.record ==
    "INSTANCE_DUMP" and .depth == null).id' | head -n 1)
hprof-diff --object="$id" lost | sed -n 1,4p
# fields that no class describes; a String of hostile characters
fixture instance-long >missing
id=$(hprof-convert --to=ndjson missing | jq -r 'select(.record ==
    "INSTANCE_DUMP" and .fields == null).id' | head -n 1)
hprof-diff --partial --object="$id" missing
fixture hostile-names >hostile
hprof-convert --to=ndjson hostile | jq -r 'select(.record |
    test("INSTANCE_DUMP|CLASS_DUMP|ARRAY_DUMP")).id' | head -n 30 >ids
while read -r id; do
    for format in table json; do
        hprof-diff --object="$id" --show-values --format=$format hostile
    done
    looked
done <ids >out
looked_at 5+
LC_ALL=C.UTF-8 grep -caxv '[[:print:]]*' out
# no line is wider than 80 columns
hprof-diff --object="$field" b | awk '{ gsub(/[\200-\277]/, "") }
    length > 80' | wc -l
# an unknown id, no id, other options
code hprof-diff --object=0x12345 b
cat .err
for what in 0x 0 0x7fzz com.acme.Order; do
    refused hprof-diff --object=$what b
done
for option in --why='*' --by=path --heap=app --format=csv --format=html \
    --fail-if='total count>1'; do
    refused hprof-diff --object=1 "$option" b
done
refused hprof-diff --object=1 b b
hprof-diff --object="$field" --format=json b >saved.json
code hprof-diff saved.json
cat .err
hprof-diff --format=json b >saved.json
code hprof-diff --object=1 saved.json
cat .err
# objects of some dumps against the lines that hprof-convert writes: of each dump a
# third, with others in the next dump, which has the same kinds of objects
n=0
while read -r name size; do
    fixture "$name" --id-size="$size" >dump
    hprof-convert --force --to=ndjson --graph --edges dump lines
    n=$((n + 1))
    jq -r 'select(has("depth")).id' lines | sort -u |
        awk -v n=$n 'NR % 3 == n % 3' >ids
    while read -r id; do
        hprof-diff --object="$id" --format=json dump
    done <ids >objects
    jq -n -r --slurpfile all lines -f "$(dirname "$2")/object-facts.jq" objects
    looked
done < <(
    worlds
    echo object-dup 8
    echo class-dump-dup 4
    echo ring-unreachable 8
)
looked_at 24
