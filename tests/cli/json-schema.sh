# Every JSON output of hprof-diff and hprof-convert, and the rows of
# hprof-validate, conform to the schemas in docs/schema. `make check-json`
# validates what all other cases write.
# needs: text
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
    skip "no python3-jsonschema"
top=$(cd "$(dirname "$2")/../.." && pwd)
keys="class package loader heap site cpu monitor dominator holder path"
for name in hotspot agent art all-tags named-loaders moved-before leak-after; do
    fixture "$name" >"$name"
    for by in $keys; do
        hprof-diff --by="$by" --format=json "$name" >>"$by.results"
        hprof-diff --by="$by" --format=rows "$name" >>rows
        hprof-diff --by="$by" --format=ndjson "$name" "$name" >>"$by.results"
    done
    hprof-diff --retained --format=json "$name" >>class.results
    hprof-validate --format=rows "$name" >>rows
    for option in --strings --edges --elements=100; do
        hprof-convert --to=ndjson "$option" "$name" >>lines
    done
done 2>.err
fixture moved-after >after
fixture leak-before >before
columns=largest,depth,native,percent,average,retained
for by in class path dominator; do
    hprof-diff --by="$by" --columns="$columns" --format=json leak-after
    hprof-diff --by="$by" --format=json moved-before after moved-before
    hprof-diff --by="$by" --fail-if='count>1:*' --format=json before leak-after
done >"more.results" 2>.err
hprof-diff --why='com.acme.*' --format=json before leak-after >>more.results
hprof-convert --to=ndjson --graph leak-after >>lines
"$top/tests/json-schema" --closed "$top/docs/schema" ./*.results rows lines >out
grep -v ' values$' out
[ "$(grep -o '^[0-9]* values' out | cut -d' ' -f1)" -gt 1500 ] || cat out
hprof-diff --format=rows --label=host=a hotspot >labelled
"$top/tests/json-schema" "$top/docs/schema" labelled >>out || cat out
# the schema and the manual page list exactly the columns that a total has, and
# the columns of rows that have a growth
python3 - "$top" <<'EOF'
import json, re, sys
top = sys.argv[1] + "/"
table = open(top + "common/cli/columns.def").read()
totals, growths = {"error_count", "error_bytes"}, set()
for name, rest in re.findall(r"^COLUMN\(\w+, (\w+),(.*?)\)$", table, re.M | re.S):
    flags = re.findall(r"\b[A-Z_]+\b", rest)
    if "NO_TOTAL" not in flags:
        totals.add(name)
    if "GROWS" in flags:
        growths.add("delta_" + name)
defs = json.load(open(top + "docs/schema/hprof-diff.schema.json"))["$defs"]
page = open(top + "man/hprof-json.5").read()
listed = re.search(r"^\.Pq Li (delta_count .*) \.$", page, re.M).group(1)
print(len(totals) > 10, len(growths) > 10)
print(sorted(totals ^ set(defs["total"]["properties"])))
print(sorted(growths ^ {x for x in defs["row"]["properties"] if x[:6] == "delta_"}))
print(sorted(growths ^ set(listed.split(" , "))))
EOF
fixture moved-before >moved
hprof-diff --columns=grew-every-step --format=json moved after moved >steps
jq -c '.total.grew_every_step' steps
"$top/tests/json-schema" --closed "$top/docs/schema" steps >>out || cat out
# the schemas are strict: an unknown member is an error
hprof-diff --format=ndjson hotspot hotspot >results
for file in results rows lines; do
    sed -n '1s/^{/{"more":0,/p' "$file" >unknown
    "$top/tests/json-schema" --closed "$top/docs/schema" unknown || true
done
