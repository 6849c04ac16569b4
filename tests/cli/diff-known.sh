# Known leaks: fingerprints, --known, --write-known, the gate 'new suspect', and
# rows that grew in every step.
need jq
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
# a file to begin with; it is refused until somebody writes a reason
code hprof-diff --write-known=known.json a b
cat known.json
code hprof-diff --known=known.json a b
cat .err
code hprof-diff -q --top=1 --fail-if='new suspect' a b
sed -n '/^FAILED/,$p' .out
jq '.known_leaks |= map(. + {reason: "a fix is under review",
    owner: "shop team", expires: "2999-12-31"})' known.json >k && mv k known.json
"$top/tests/json-schema" "$top/docs/schema/known-leaks.schema.json" known.json
code hprof-diff -q --top=1 --fail-if='new suspect' --known=known.json a b
grep -E 'known:|new suspect' .out
# also where the format shows no suspects
code hprof-diff --format=csv --fail-if='new suspect' a b
cat .err
code hprof-diff --format=csv --fail-if='new suspect' --known=known.json a b
cat .err
for format in junit github markdown; do
    code hprof-diff --format=$format --fail-if='new suspect' a b
    grep 'new suspect' .out
done
hprof-diff --retained --format=sarif --known=known.json --fail-if='new suspect' \
    a b | jq -c '.runs[0].results[] | [.ruleId, .partialFingerprints,
    .suppressions]'
hprof-diff --retained --format=markdown --known=known.json a b |
    grep -o 'known: .*)' | sort -u
hprof-diff --retained --format=github --known=known.json a b | cut -d: -f3
hprof-diff --retained --format=sarif --fail-if='new suspect' a b |
    jq -c '.runs[0].results[] | [.ruleId, .message.text]'
hprof-diff --retained --format=json --known=known.json --fail-if='new suspect' \
    a b | jq -c '(.suspects[] | [.fingerprint, .known]), .known, .gates'
# a finding that is known passes its gate
code hprof-diff -q --top=1 --fail-if=finding:unbounded-collection a b
code hprof-diff -q --top=1 --fail-if=finding:unbounded-collection \
    --known=known.json a b
# what was written keeps the reasons that are there
hprof-diff --known=known.json --write-known=again.json a b
same known.json again.json
# gates by path do not check the paths of known leaks
print=$(hprof-diff --by=path --format=json a b | jq -r '[.rows[] |
    select(.key | startswith("Shop.BUS (static)"))][0].fingerprint')
hprof-diff --by=path --fail-if='Shop.BUS*ArrayList growth-retained>1' --format=csv \
    a b >/dev/null 2>.err || echo "unknown: $?"
echo "{\"known_leaks\": [{\"fingerprint\": \"$print\", \"reason\": \"r\"}]}" >path.json
hprof-diff --by=path --fail-if='Shop.BUS*ArrayList growth-retained>1' --format=csv \
    --known=path.json a b >/dev/null 2>.err && echo "known"
# an entry that expired, one that is gone, and one whose path has changed
jq '.known_leaks[0].expires = "2020-02-29" |
    .known_leaks[0].fingerprint = "0123456789abcdef" |
    .known_leaks += [{fingerprint: "00000000000000ff", reason: "old"}]' \
    known.json >old.json
code hprof-diff --top=1 --known=old.json a b
cat .err
code hprof-diff --format=csv -q --known=old.json a b
cat .err
hprof-diff --retained --format=json --known=old.json a b | jq -c .known
# files that are refused
refuse() {
    echo "$1" >bad.json
    code hprof-diff --known=bad.json a b
    sed -n 1p .err
}
refuse 'no json'
refuse '{}'
refuse '{"known_leaks": [1]}'
refuse '{"known_leaks": [{"fingerprint": "00000000000000ff"}]}'
refuse '{"known_leaks": [{"fingerprint": "00000000000000FF", "reason": "r"}]}'
refuse '{"known_leaks": [{"fingerprint": "00000000000000ff", "reason": 1}]}'
refuse '{"known_leaks": [{"fingerprint": "00000000000000ff", "reason": "r",
    "expire": "2027-01-31"}]}'
refuse '{"known_leaks": [{"fingerprint": "00000000000000ff", "reason": "r",
    "expires": "2027-02-29"}]}'
refuse '{"known_leaks": [{"fingerprint": "00000000000000ff", "reason": "r"},
    {"fingerprint": "00000000000000ff", "reason": "s"}]}'
code hprof-diff --known=missing.json a b
sed -n 1p .err
code hprof-diff --known=known.json --normalize=off a b
sed -n 1p .err
code hprof-diff --fail-if='new suspect' a
sed -n 1p .err
code hprof-diff --write-known=x -o y a b
sed -n 1p .err
hprof-diff --retained --format=json a >a.json
code hprof-diff --fail-if='new suspect' a.json b
sed -n 1p .err
# many entries
seq -f '%016.0f' 0 99999 | awk '
    { printf "%s{\"fingerprint\": \"%s\", \"reason\": \"r\"}",
        NR == 1 ? "{\"known_leaks\": [" : ",\n", $1 }
    END { print "]}" }' >many.json
code hprof-diff --format=csv --known=many.json a b
cat .err
# rows that grew by more than N objects in every step
code hprof-diff --fail-if='Shop* grew-every-step>10' a b
sed -n 1p .err
code hprof-diff -q --quick --top=1 --fail-if='Shop$Cart grew-every-step>10' a b b
sed -n '/^passed/,$p' .out
for name in before few many; do fixture cache-$name >$name; done
hprof-diff --columns=count,grew-every-step --format=csv --top=3 before few many
code hprof-diff -q --quick --top=1 --fail-if='* grew-every-step>0' before few many
sed -n '/^FAILED/,$p' .out
