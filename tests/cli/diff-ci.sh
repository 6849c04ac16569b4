# The formats for continuous integration: JUnit, SARIF, workflow commands and a
# comment for a pull request.
need jq
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
gates=(--fail-if='Shop* growth-count>100' --fail-if='total growth-bytes>50%'
    --fail-if='x count>1' --fail-if='total count>1000000')
for format in junit github markdown; do
    code hprof-diff --retained --format=$format "${gates[@]}" a b
    cat .out
done
hprof-diff --retained --format=sarif "${gates[@]}" a b >sarif 2>.err
jq -r '.runs[0].results[] | [.ruleId, .level, .message.text,
    .partialFingerprints["hprofDiff/v2"]] | @tsv' sarif
# fingerprints have neither counts nor the names of files
cp b c
hprof-diff --retained --format=sarif --fail-if='Shop* growth-count>200' a c \
    2>.err | jq -r '.runs[0].results[] | select(.ruleId != "gate") |
    .partialFingerprints["hprofDiff/v2"]' >got
jq -r '.runs[0].results[] | select(.ruleId != "gate") |
    .partialFingerprints["hprofDiff/v2"]' sarif >want
same want got
# where a stack has a source file, the result is at its line
fixture agent >s
hprof-diff --by=site --format=sarif --fail-if='com.acme.Order count>1' s 2>.err |
    jq -c '.runs[0].results[0].locations[0].physicalLocation'
# names from a dump are data: no markup, no command, no mention
fixture hostile-names >h
hprof-diff --fail-if='* count>0' --format=markdown h 2>.err >md
sed 's/<\/\?code>//g; s/<\/\?details>//g; s/<\/\?summary>//g' md | grep -c '[<@`]'
hprof-diff --fail-if='* count>0' --format=github h 2>.err | grep -vc '^::[a-z]* title=hprof-diff%3A '
hprof-diff --fail-if='* count>0' --format=junit h 2>.err >xml
/usr/bin/python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' xml
# a comment stays below 60 KB, however many gates there are
many=()
for i in $(seq 2000); do many+=(--fail-if="com.acme.a.class.that.is.not.there$i count>$i"); done
hprof-diff --format=markdown "${many[@]}" a b >md 2>.err
[ "$(wc -c <md)" -lt 60000 ] || wc -c md
grep 'more gates' md
# large numbers have separators, as in the text report
crafted supers 0.1 >large
hprof-diff --format=markdown --fail-if='* count>0' large 2>.err |
    grep -o '[0-9,]* rows by class\|[0-9,]* more rows\|and [0-9,]* more'
hprof-diff --format=html --top=2000 large 2>.err |
    grep -o 'The first .* are listed\|[0-9][0-9,]* left out by --top'
hprof-diff --format=sarif --fail-if='* count>0' large 2>.err |
    grep -o 'and [0-9,]* more rows'
fixture hostile-names >h
hprof-diff --format=markdown --fail-if='* count>0' "${many[@]:0:600}" h >md 2>.err
[ "$(wc -c <md)" -lt 60000 ] || wc -c md
if npm=$("$top/tests/npm/install" 2>.err); then
    hprof-diff --format=sarif --fail-if='* count>0' h >hostile.sarif 2>.err
    hprof-diff --format=sarif a b >none.sarif
    node "$top/tests/cli/sarif-schema.js" "$npm" sarif hostile.sarif none.sarif
fi
