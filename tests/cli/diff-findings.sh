# Each finding (unusual fact about a heap) is reported for a dump that contains
# it, also with short names of classes, and for no other dump.
need jq
# a heap without findings, and dumps with exactly one finding each (or more, if
# what is planted has other effects)
hprof-diff --findings | cut -d' ' -f1 >ids
# the findings of a JSON result, one a line, and their ids
findings() {
    sed -n '/^  "findings": \[/,/^  \]/{/^    {/{s/,$//;p;};}' "$1"
}
finding_ids() {
    findings "$1" | sed 's/^ *{"id": "\([^"]*\)".*/\1/'
}
for id in none $(cat ids); do
    for size in 4 8; do
        fixture "finding-$id" --id-size=$size >dump
        hprof-diff --retained --format=json --fail-if=finding:waste dump >json 2>.err
        [ "$size" = 8 ] && jq -r '.findings[] | "\(.id)  \(.text)"' json |
            sed "s/^/$id: /"
        [ "$size" = 4 ] && finding_ids json >four
        looked
    done
    finding_ids json >eight
    cmp four eight || problem "$id: other findings with 4-byte ids"
    [ "$id" = none ] && continue
    grep -qx "$id" eight || problem "$id is not found"
    # short names
    fixture "finding-$id-renamed" >dump
    hprof-diff --retained --format=json --fail-if=finding:waste dump >json 2>.err
    finding_ids json >renamed
    same_or_say "$id names" eight renamed
    # the gate fails, and passes one hundredth above the share
    hprof-diff --format=csv --fail-if="finding:$id" dump >.out 2>.err
    [ $? = 1 ] || problem "finding:$id does not fail"
    over=$(findings json | grep -F "{\"id\": \"$id\"" | awk -F '"percent": ' '
        { printf "%.2f", int($2 * 100 + 1.5) / 100 }')
    hprof-diff --format=csv --fail-if="finding:$id" --threshold="$id=$over%" dump \
        >.out 2>.err || problem "finding:$id fails below $over"
    hprof-diff --format=csv --fail-if="finding:$id" --disable="$id" dump \
        >.out 2>.err || problem "finding:$id is not disabled"
    # the share does not depend on the number of threads
    for threads in 1; do
        hprof-diff --retained --format=json --fail-if=finding:waste \
            --threads=$threads dump >other 2>.err
        findings other >got
        findings json >want
        same_or_say "$id threads" want got
    done
    looked
done
looked_at 62
# the first screen, and every format that can hold findings
fixture finding-soft-references >dump
answer=$(hprof-diff dump)
sed -n '/unusual/,/^$/p' <<<"$answer"
hprof-diff --quick dump | grep unusual
hprof-diff --retained --format=sarif dump | jq -c '.runs[0] | .results[] |
    select(.ruleId == "soft-references") | [.level, .message.text]'
hprof-diff --retained --format=rows dump | jq -c 'select(.kind == "finding") |
    [.rule, .count, .message]'
hprof-diff --retained --format=markdown dump | sed -n '/unusual/,/^$/p;/^- /p'
hprof-diff --retained --format=github dump | grep soft-
hprof-diff --format=html dump | grep -o '"findings":\[{"id":"soft-references"'
# one object is not "1 objects are"
fixture art >one
hprof-diff --threshold=jni-globals=1% --threshold=interned-strings=1% one | grep '^!'
# a gate, in the table and for programs
hprof-diff --fail-if=finding:soft-references --fail-if=finding:waste dump |
    sed -n '/^FAILED/,$p'
hprof-diff --retained --format=junit --fail-if='finding:soft-references' dump |
    grep '<failure'
# several dumps: whether the first dump has it also, as a dump or as a saved result
fixture finding-none >before
hprof-diff --retained --format=json before >before.json
hprof-diff --retained --format=json dump >after.json
for first in before before.json dump after.json; do
    hprof-diff --retained --format=json $first dump | jq -c '[.findings[] |
        select(.id == "soft-references") | .in_first]'
done
# a saved result as the last input
hprof-diff --retained --format=json before.json after.json | jq -c '.findings, .findings_checked' >got
jq -c '[.findings[] | .in_first = false], .findings_checked' after.json >want
jq -cS . got >g; jq -cS . want >w
same w g
# wrong words
for option in --explain=soft-reference --threshold=waste --threshold=waste=x \
    --disable=nothing --fail-if=finding:nothing; do
    hprof-diff $option dump 2>&1 | head -n 1
done
hprof-diff --explain=weak-values
