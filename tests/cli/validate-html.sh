# Test the HTML report without a browser: the markup, the content security
# policy, hostile dumps, and the map, which must cover every byte of a dump.
need jq
fixture hotspot >fine
fixture subtag-unknown >broken
fixture hostile-names >hostile
fixture two-dumps --id-size=4 >two
fixture text >text
page() { # page NAME OPTION...: NAME.html and the data in it
    local name=$1
    shift
    hprof-validate --format=html "$@" >"$name.html" 2>.err
    echo "$? $name: $(grep -o '<title>.*</title>' "$name.html")"
    page_data <"$name.html" >"$name.data"
}
page fine fine
page broken broken
page hostile --level=graph hostile
page several fine broken two text nosuch
page folder "$PWD/fine"
page input - <fine
page strict --strict --min-severity=warning --max-examples=0 broken

# the figures are those of JSON
hprof-validate --format=json fine broken two text nosuch 2>.err |
    jq -S '.files' >want
jq -S '.files | map(del(.map) | .rules |= map(del(.width, .places)))' \
    several.data >got
same want got
# every rule with a finding is explained, with an action
jq -r '.catalogue as $c | .files[] | .rules[].rule, (.not_checked // [])[] |
    select(($c[.].meaning // "") == "" or ($c[.].advice // "") == "")' *.data

# Nothing is loaded from elsewhere, and only the scripts in the policy run.
for f in *.html; do
    looked
    ! command -v tidy >/dev/null ||
        tidy -quiet -errors --drop-empty-elements no "$f" 2>&1 | head -n 3
    grep -Ec 'https?:|src=|@import|url\("?[^"#]|style=| on[a-z]*=' "$f" |
        grep -vx 0
    [ "$(grep -c '<script' "$f")" = 3 ] || echo "$f: scripts"
    [ "$(grep -c '</script' "$f")" = 3 ] || echo "$f: scripts end"
    grep -qi '<img\|onerror=\|<b>' "$f" && echo "$f: markup from the dump"
done
looked_at 7
# the text of an element, and its hash as it appears in a policy
element() { # element TAG N
    awk -v tag="<$1>" -v end="</$1>" -v n="$2" 'BEGIN { RS = "\001" }
        { for (; n > 0; n--) $0 = substr($0, index($0, tag) + length(tag))
          printf "%s", substr($0, 1, index($0, end) - 1) }' fine.html
}
for which in 'style 1' 'script 1' 'script 2'; do
    looked
    # shellcheck disable=SC2086 # two words
    hex=$(element $which | sha256sum | cut -c 1-64 | sed 's/../\\x&/g')
    hash=$(printf '%b' "$hex" | base64 -w 0)
    grep -q "Policy.*'sha256-$hash'" fine.html || echo "$which: no such hash"
done
looked_at 3
grep -o "Policy.*'none'\"" fine.html | sed "s/sha256-[^']*/HASH/g"
grep -c "unsafe-" fine.html
[ "$(($(wc -c <fine.html) - $(wc -c <fine.data)))" -le 102400 ] ||
    echo "more than 100 KB without the data"

# Without scripts: verdicts, findings, actions, and the ranges that were not
# decoded.
sed -n '/<div id="fallback"/,/^<\/div>/p' broken.html |
    sed 's/<[^>]*>/ /g; s/  */ /g' | grep -E 'invalid|error|do:|decoded'

# map FILE...: check that the bins of each file add up to all bytes, and have
# the right size
map() {
    hprof-validate --format=html "$@" 2>.err |
        page_data >map.data
    jq -r '.files[] | select(.map) | (.map.kinds | map_values(add)) as $k |
        ([$k[]] | add) as $sum | select($sum != .bytes) |
        "\(.path): \($sum) of \(.bytes)"' map.data
    jq -r '.files[] | select(.map) | .path as $path | .bytes as $bytes |
        .map.width as $w | .map.kinds | to_entries[] | .key as $kind |
        .value | (length - 1) * $w as $last |
        select(length > 256 or $last >= $bytes or length * $w < $bytes or
            any(.[]; . > $w)) | "\($path): \($kind): \(length) of \($w)"' \
        map.data
}
map broken two hostile
jq -c '.files[] | .map | [.width, .missing, (.kinds | map_values(add))]' map.data
# in a valid dump every byte is in a bin
mkdir whole
whole | while read -r name size; do
    fixture "$name" --id-size="$size" >"whole/$name.$size"
done
map whole/*
jq -r '.files[] | select(.map == null or .map.kinds["not decoded"]) | .path' \
    map.data
for _ in $(jq -r '.files[].path' map.data); do looked; done
looked_at 30+
# with one dump of two, the other is not on the map
map --dump=2 two
jq -c '.files[0].map.kinds | map_values(add) | keys' map.data
# the map has as many places of findings as are counted
hprof-validate --format=html --max-examples=0 hostile broken |
    page_data |
    jq -r '.files[].rules[] | select(.places) |
        select((.places | add) != .count) | .rule'
jq -r '[.files[].rules[] | select(.places)] | length > 3' hostile.data

# The result is the same for every kind of input: threads, pipes, compression,
# truncation anywhere.
plain() {
    page_data |
        sed 's/"command":"[^"]*",//;s/"path":"[^"]*",//;s/"compression":"[^"]*",//'
}
for name in hotspot many-segments cut-array subtag-unknown tag-unknown two-dumps; do
    fixture $name --id-size=4 >d
    for cut in 0 1 100; do
        looked
        head -c "-$cut" d >c
        hprof-validate --format=html --threads=1 c | plain >want
        hprof-validate --format=html --threads=4 c | plain >got
        same_or_say "$name -$cut, threads" want got
        cat c | hprof-validate --format=html - | plain >got
        same_or_say "$name -$cut, pipe" want got
        gzip -c c >c.gz
        hprof-validate --format=html c.gz | plain >got
        same_or_say "$name -$cut, gzip" want got
    done
done
looked_at 18
