# NDJSON with a line for each reference. These lines must say exactly what the
# lines of the objects say.
need jq
# Compute the same lines from the output without --edges. If an id was dumped
# twice, the first dump counts, as in the graph.
cat >edges.jq <<'Q'
map(select(.record | test("_DUMP$") and test("^HEAP_") | not)) |
map(select(.id)) as $objects |
($objects | map(select(.record | test("^ROOT_") | not) | .id) |
    map({key: ., value: true}) | from_entries) as $known |
($objects | map(select(.record == "CLASS_DUMP") | .id) |
    map({key: ., value: true}) | from_entries) as $classes |
(reduce ($objects[] | select(.record | test("_(DUMP|NODATA)$"))) as $o ({};
    .[$o.id] //= $o.offset)) as $first |
(reduce ($objects[] | select($first[.id] == .offset)) as $o ({};
    .[$o.id] = if $o.record == "CLASS_DUMP" then "java.lang.Class"
        elif $o.element_type then $o.element_type + "[]"
        else $o.class end)) as $class |
$objects[] | select($first[.id] == .offset) | . as $o |
if .record == "INSTANCE_DUMP" then
    ["<class>", .class_id],
    ((.fields // {}) | to_entries[] |
        select(.value | type == "object") | [.key, .value.id])
elif .record == "OBJECT_ARRAY_DUMP" then
    (select($classes[.class_id]) | ["<class>", .class_id]),
    (.elements | to_entries[] | select(.value) |
        ["[\(.key)]", .value.id])
elif .record == "CLASS_DUMP" then
    ["<super>", .super_id], ["<loader>", .loader_id],
    ["<signers>", .signers_id], ["<domain>", .protection_domain_id],
    (.statics[] | select(.value | type == "object") | [.name, .value.id]),
    (.constants[] | select(.value | type == "object") |
        ["<constant \(.index)>", .value.id])
else empty end | select(.[1] != "0x0" and $known[.[1]]) |
"\($o.id) \(.[1]) \(if $o.record == "CLASS_DUMP" then $o.name
    else $o.class end) \($class[.[1]]) \(.[0])"
Q
for name in hotspot agent art hprofconv sa leak-after; do
    fixture $name >$name
done
# a class and an instance with the same id; an instance that was dumped twice
fixture class-is-later >twice
fixture object-dup >again
# dumped again as an instance of a class that was loaded before its own class
cp again other
at=$(hprof-convert --to=ndjson again | jq -s 'map(select(
    .record == "INSTANCE_DUMP" and .class == "com.acme.Order")) | last | .offset')
printf '\260' | dd of=other bs=1 seek=$((at + 8)) conv=notrunc status=none
hprof-convert --to=ndjson other | jq -c '
    select(.id == "0x700101b0") | [.record, .class]'
# references are also listed for objects whose class has no name
cp leak-after nameless
at=$(hprof-convert --to=ndjson nameless | jq 'select(
    .record == "LOAD_CLASS" and .class == "com.acme.Order") | .offset')
printf '\377' | dd of=nameless bs=1 seek=$((at + 13)) conv=notrunc status=none
hprof-convert --to=ndjson --edges nameless | jq -c 'select(
    .record == "EDGE" and .held == null) |
    [.holder, (.field | sub("[0-9]+"; "N"))]' | sort -u
for name in hotspot agent art hprofconv sa leak-after twice again other nameless; do
    hprof-convert --force --to=ndjson $name plain
    hprof-convert --force --to=ndjson --edges $name both
    grep -v '"record":"EDGE"' both >rest
    same rest plain
    jq -rs -f edges.jq plain | sort >want
    jq -r 'select(.record == "EDGE") |
        "\(.from) \(.to) \(.holder) \(.held) \(.field)"' both |
        sort >got
    same want got
    looked
    hprof-convert --to=ndjson --edges --threads=1 - <$name >one
    cmp one both
done
looked_at 10
# they come after all other lines, and have the class of the target
tail -n 1 both | jq -c 'keys'
hprof-convert --to=ndjson --edges leak-after | jq -r '
    select(.record == "EDGE" and .field == "[3]") |
    "\(.holder) \(.held)"' | sort -u
refused hprof-convert --edges sa out
refused hprof-convert --to=text --edges sa out
# If --memory is too small for the classes of all objects, dangling references
# cannot be recognised. They have lines then, and a message says so. The input
# has 4,000 more dumps, each with a class.
{
    printf '\14\0\0\0\0\0\0\0\53\40\20\0\0\10'
    head -c 38 /dev/zero
} >one
for _ in 0 1 2 3 4 5 6 7 8 9; do
    cat one one one one one one one one one one
done >hundred
{
    fixture dangling-field --id-size=4
    for _ in 0 1 2 3 4 5 6 7 8 9; do
        cat hundred hundred hundred hundred
    done
} >many
names() { jq -r 'select(.record == "EDGE") | "\(.from) \(.to) \(.field)"' "$1"; }
hprof-convert --to=ndjson --edges many >whole
hprof-convert --to=ndjson --edges --memory=40MB many 2>&1 >less |
    sed 's/.*many: //'
names whole >want
names less | diff want - | grep '^[<>]'
head -n 1 less
