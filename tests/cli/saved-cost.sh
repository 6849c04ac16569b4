# Saved results and baselines need memory and time in proportion to their
# contents. Hostile ones are refused before jansson builds a tree from them.
# Many of them cost the sum of their single costs.
need jq

# nested FILE: write 12 MB of empty arrays, for which jansson needs half a
# gigabyte.
nested() {
    printf '%s' "$1"
    awk 'BEGIN { for (i = 0; i < 4000; i++) { s = s "[]," } for (i = 0; i < 1000; i++) printf "%s", s }'
    printf '[]%s' "$2"
}
fixture hotspot >a
nested '{"tool":"hprof-validate","schema":1,"files":[' ']}' | gzip >bomb.gz
nested '{"tool":"hprof-diff","schema":1,"by":"class","rows":[' ']}' | gzip >diff.gz
peak 64 hprof-validate --memory=64MB --baseline=bomb.gz a
echo "$? $(grep ^hprof .err | least)"
peak 64 hprof-diff --memory=64MB diff.gz a
echo "$? $(grep ^hprof .err | least)"
# Brackets in a string need no memory.
printf '["%s"]' "$(head -c 20000 /dev/zero | tr '\0' '[')" >string
hprof-validate --memory=24MB --baseline=string a 2>&1
# With enough memory a baseline is read, and the checks get the rest.
hprof-validate --format=json a >known
hprof-validate --memory=24MB --baseline=known a >.out || echo "known: $?"

# Each finding is searched among the known ones: 29,000 findings among 87,000
# others, and 29,000 findings that are known except the last, in the opposite
# order.
crafted findings 2 >many
hprof-validate --max-examples=65536 --format=json many >found
[ "$(grep -c '"offset": ' found)" -gt 20000 ] || problem "few findings"
jq -c '.files[0].rules[] |= (.count = 1 | .examples |=
    (map(.offset += 1) + map(.offset += 2) + map(.offset += 3)))' found >others
jq -c '(.files[0].rules[] | .examples) |= (.[:-1] | reverse) |
    .files[0].rules[].count = 1' found >same
for known in others same; do
    (ulimit -t 15
        exec hprof-validate --max-examples=65536 --format=json \
            --baseline=$known many >.out 2>.err)
    echo "$known: $?"
    jq -c '.files[0].rules[] | select(.rule == "segment-after-end") |
        [.count > 70000, (.examples | length | if . > 20000 then "many" else . end)]' .out
done

# The paths of a row in many saved results, and one message that refuses all of
# them.
jq -nc '{tool: "hprof-diff", version: "0.2.0", schema: 1, by: "path",
    normalize: true, reachability: "soft",
    layout: {reference: 8, header: 16, array_header: 24, alignment: 16,
        source: "auto"},
    dumps: [{path: "x", dialect: "hotspot", timestamp_ms: 1700000000000,
        objects: 1, bytes: 32, partial: false,
        reachable: {objects: 1, bytes: 32}, weak: {objects: 0, bytes: 0},
        unreachable: {objects: 0, bytes: 0}}],
    rows: [{key: "k", count: [1], bytes: [32], retained_count: [1],
        retained_bytes: [32], within: [range(20000) | "a\(.)"]}],
    total: {count: [1], bytes: [32]}}' >within
files=()
for _ in $(seq 60); do
    files+=(within)
done
peak 100 hprof-diff --by=path "${files[@]}"
echo "$? $(grep -c ^hprof .err) messages"
hprof-diff --by=path --memory=40MB "${files[@]}" 2>.err
echo "$? $(least <.err)"
