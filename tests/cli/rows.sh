# Rows for databases are flat and alike, and each row identifies its dump. A
# damaged dump is also a row.
# needs: pack
fixture leak-before >a
fixture leak-after >b
fixture cut-array >broken
fixture empty >empty
zstd -q b -o b.zst
hprof-convert -q --to=pack b b.pack
code hprof-diff --format=rows --label=service=cart --label=version=7 \
    a broken nothere empty b
cp .out rows
cat .err
# a row for every dump; the rows of classes are those of the histogram of each
# dump
jq -r 'select(.kind == "dump") | [.path, .verdict, .partial, .dump_id_of,
    .bytes // "-", .error // "-"] | map(tostring) | join(" ")' rows
for f in a b; do
    jq -r --arg f $f 'select(.kind == "class" and .path == $f) |
        "\(.class) \(.count) \(.bytes)"' rows >got
    hprof-diff --format=json $f |
        jq -r '.rows[] | "\(.key) \(.count[0]) \(.bytes[0])"' >want
    same want got
done
jq -r 'select(.kind == "class") | .path' rows | sort | uniq -c
# flat: no null, no list, no object; the columns that all rows have
jq -c '[.[] | type] | unique' rows | sort | uniq -c
jq -r 'keys_unsorted[:9] | join(" ")' rows | sort | uniq -c
# the id depends only on the bytes, whatever contains them, in both programs
for program in diff validate; do
    for f in b b.zst b.pack; do
        hprof-$program --format=rows $f
    done
    hprof-$program --format=rows - <b
    hprof-$program --format=rows --threads=1 --memory=64m - < <(zstd -dc b.zst)
done | jq -r .dump_id | sort -u | wc -l
hprof-diff --format=rows a b | jq -r .dump_id | uniq | wc -l
if command -v xxhsum >/dev/null; then
    [ "$(xxhsum -q -H2 b | cut -c1-32)" = \
        "$(hprof-diff --format=rows b | jq -r .dump_id | head -n 1)" ] ||
        echo "not XXH3-128"
fi
# an unreadable input is identified by path, size and time
hprof-diff --format=rows nothere 2>.err | jq -r .dump_id >first
hprof-validate --format=rows nothere 2>.err | jq -r .dump_id >second
same first second
# so is a saved result, because its bytes are not the dump's; its rows are
hprof-diff --format=json b >b.json
gzip -k b.json
for saved in b.json b.json.gz; do
    hprof-diff --format=rows $saved >rows
    jq -c 'select(.kind == "dump") | del(.dump_id, .tool_version)' rows
    jq -r .dump_id_of rows | sort | uniq -c
    hprof-diff --format=rows b | jq -c 'select(.kind == "class") |
        del(.dump_id, .dump_id_of, .path)' >want
    jq -c 'select(.kind == "class") | del(.dump_id, .dump_id_of, .path)' rows >got
    same want got
done
# findings: the rules of the JSON result
hprof-validate --format=rows --label=host=h1 broken a nothere >rows 2>.err
echo $?
jq -r 'select(.kind == "dump") | [.path, .verdict, .partial, .errors // "-",
    .references_checked // "-"] | map(tostring) | join(" ")' rows
jq -r 'select(.kind == "finding" and .path == "broken") |
    "\(.rule) \(.severity) \(.count) \(.offset) \(.message)"' rows >got
hprof-validate --format=json broken | jq -r '.files[0].rules[] |
    "\(.rule) \(.severity) \(.count) \(.examples[0] |
        "\(.offset) \(.message)")"' >want
same want got
jq -c 'select(.damage == 1) | [.path, .rule, .host]' rows
hprof-validate --format=rows --min-severity=error a broken | jq -r .kind |
    sort | uniq -c
# retained sizes and suspects
hprof-diff --retained --format=rows a b >rows
jq -c 'select(.path == "b" and .kind == "class") |
    [.class, .retained_count, .retained_bytes]' rows >got
hprof-diff --retained --format=json b |
    jq -c '.rows[] | [.key, .retained_count[0], .retained_bytes[0]]' >want
same want got
jq -c 'select(.kind == "suspect" and .path == "b") |
    [.class, .element, .elements, .kept_by]' rows >got
hprof-diff --retained --format=json b |
    jq -c '.suspects[] | [.class, .element, .elements[0], .path]' >want
same want got
# holders and paths as in the JSON result, with their references
for by in holder path; do
    hprof-diff --by=$by --format=rows a b | jq -c --arg by $by 'select(.path == "b"
        and .kind == $by) | [.key, .count, .bytes, .references // 0]' >got
    hprof-diff --by=$by --format=json b | jq -c '.rows[] | [.key, .count[0],
        .bytes[0], (.references // [0])[0]]' >want
    same want got
done
# a dump has the same number of objects for every row key
for by in class package loader holder dominator path; do
    hprof-diff --by=$by --format=rows a b | sed "s/^{/{\"by\":\"$by\",/"
done | grep -F '"kind":"dump"' | jq -c '[.by, .path, .objects, .heap_bytes]'
fixture art >heaps
for heap in app image; do
    hprof-diff --heap=$heap --format=rows heaps
done | jq -c 'select(.kind == "dump") | [.objects, .heap_bytes]'
hprof-diff --by=heap --format=json heaps | jq -c '.total | [.count[0], .bytes[0]]'
# samples, waits and sums in records are not objects of the dump
fixture all-tags --id-size=4 >sums
for by in cpu monitor site; do
    hprof-diff --by=$by --format=rows sums | sed "s/^{/{\"by\":\"$by\",/"
done | jq -c 'select(.kind == "dump") | [.by, .objects // "-", .heap_bytes // "-"]'
# sites of ALLOC SITES records and of objects' traces: the dump's row is
# complete
for f in all-tags agent; do
    fixture $f --id-size=4 >sites
    hprof-diff --by=site --format=rows sites >rows
    hprof-diff --by=class --format=rows sites | jq -c 'select(.kind == "dump") |
        del(.objects, .heap_bytes)' >want
    jq -c 'select(.kind == "dump") | del(.objects, .heap_bytes)' rows >got
    same want got
    jq -r 'select(.kind == "site") | "\(.class) \(.count) \(.bytes)"' rows >got
    hprof-diff --by=site --format=json sites |
        jq -r '.rows[] | "\(.key) \(.count[0]) \(.bytes[0])"' >want
    same want got
done
# for a damaged dump, each row has what can be read, and is marked as partial
hprof-diff --partial --format=rows a broken nothere 2>.err |
    jq -c 'select(.path != "a") | [.path, .kind, .verdict, .partial]' | sort |
    uniq -c
# every row key has its rows
for by in class package loader heap site cpu monitor dominator holder path; do
    hprof-diff --by=$by --format=rows b 2>.err |
        sed 's/.*"kind":"\([a-z]*\)".*/\1/' | sort -u | tr '\n' ' '
    looked
done
echo
looked_at 10
# If the sums of packages do not fit into --memory after an input was read, the
# input still gets a row, with the error.
jq -n '("x" * 7000) as $x | {tool: "hprof-diff", schema: 1, by: "package",
    normalize: true, layout: {reference: 4, header: 12, array_header: 16,
    alignment: 8}, dumps: [{path: "x", dialect: "hotspot", objects: 180,
    bytes: 180}], rows: [range(90) as $i | ("b", "c") | {count: [1], bytes: [1],
    key: "n\($i)\($x)\(".a" * 25).\(.)"}]}' >wide
code hprof-diff --by=package --memory=24m --threads=1 --format=rows a wide b
jq -r 'select(.kind == "dump") | "\(.path) \(.verdict) \(.error // "-")"' .out | least
least <.err
# gates apply to each dump; options that compare dumps are refused
for format in rows tsv; do
    code hprof-diff --format=$format --fail-if='com.acme.Order count>50' a b
    cat .err
    code hprof-diff --format=$format --fail-if='com.acme.Order count>500' a b
    cat .err
done
code hprof-diff --format=rows --fail-if='no.such* count>5' a b
cat .err
code hprof-diff --format=rows --fail-if='total growth-bytes>1' a b
head -n 1 .err
code hprof-diff --format=rows --exit-code a b
