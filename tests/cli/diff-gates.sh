# Gates: which ones fail, for which rows, the exit status, and invalid gates.
top=$(dirname "$2")/../..
fixture leak-before >a
fixture leak-after >b
gate() {
    hprof-diff --format=json --fail-if="$1" a b >json 2>err
    echo "$? $1 $(jq -c '.gates[0] | [.tripped, .rows]' json)"
    cat err
}
gate 'com.acme.* growth-count>49'
gate 'com.acme.* growth-count>50'
gate 'com.acme.Order count > 61'
gate 'com.acme.Order growth-count>400%'
gate 'com.acme.Order growth-count>500%'
gate '* growth-bytes>1KB'
gate 'total growth-bytes>1MB'
gate 'total growth-count>49'
gate 'no.such.Class count>0'
hprof-diff --format=json --fail-if='total count>1' --fail-if='x count>1' \
    a b 2>/dev/null | jq -c '[.gates[].tripped]'
# spaces around a gate are allowed, because files and YAML add them
gate ' com.acme.Order  growth-count > 49 '
gate 'com.acme.Order growth-bytes>1KB
'
# a pattern that matches no row is reported in every format, and fails on
# request
for format in table html csv ndjson; do
    hprof-diff --format=$format --fail-if='no.such* count>0' \
        --fail-if='com.acme.* count>900' a b >.out 2>.err
    echo "$? $(cat .err)"
    grep -aE '^(no row matches|passed)' .out
    grep -aoE '"gate":"[^"]*","tripped":[a-z]*,"matched":[0-9]*' .out
    code hprof-diff -q --fail-unmatched --format=$format \
        --fail-if='no.such* count>0' a b
    code hprof-diff -q --fail-unmatched --format=$format \
        --fail-if='com.acme.* count>900' a b
done
for bad in 'x' 'x count' '>5' 'count>5' 'x count>5%' 'x weight>5' 'x count>-1'; do
    code hprof-diff --fail-if="$bad" a b
done
code hprof-diff --fail-if='* growth-count>5' a
code hprof-diff --fail-if='com.acme.Order count>5' a
hprof-diff --fail-if='com.acme.Order growth-count>5' a b | tail -n 2
# if a format has no place for gates, a message says which gates failed
for format in csv folded; do
    hprof-diff --format=$format --fail-if='com.acme.* growth-count>1' \
        --fail-if='total count>1' --fail-if='total count>1000000' a b 2>&1 >rows
    echo "exit $?"
done
code hprof-diff -q --format=csv --fail-if='total count>1' a b
cat .err
# a pattern that matches no row is reported with -q, unless the result has it
for format in csv folded rows tsv json table html ndjson; do
    code hprof-diff -q --format=$format --fail-if='no.such* count>0' a b
    cat .err
done
# JSON has a gate exactly as it was given, with tabs, blanks and characters that
# other formats escape
for gate in '  a"b\c   bytes > 1K ' $'a\tb count>1' 'a\u{9}b ##[x] count>1' \
    $'\u202ea\u200d \u2192 b count>1'; do
    hprof-diff --format=json --fail-if="$gate" b 2>.err |
        jq -r --arg gate "$gate" '.gates[0].gate == $gate'
done
# a gate on growth passes if the dumps are in the wrong order, so a warning and
# the result name both times, in every format, also with -q if the format has no
# place for it
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >old
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >new
for format in json csv; do
    code hprof-diff -q --format=$format --fail-if='Shop$* growth-count>1' new old
    cat .err
done
code hprof-diff --format=json --fail-if='Shop$* growth-count>1' new old
cat .err
jq -c .out_of_order .out
hprof-diff --quick new old 2>/dev/null | head -n 1
code hprof-diff --quick --format=json old new old new
cat .err
jq -c '.out_of_order' .out
code hprof-diff --quick --format=json --fail-if='Shop$* growth-count>1' old new
cat .err
jq -c '.out_of_order' .out
# a pattern with a spelling mistake, with another letter case, or without the
# package suggests the class; the exit status is 1 only with --fail-unmatched
for glob in 'com.acme.Ordre' 'com.acme.order' 'Order' 'com.acm.*der' \
    '*.Oder' 'Oder' 'com.acme.Customer'; do
    code hprof-diff --quick --format=json --fail-if="$glob count>0" a b
    cat .err
done
code hprof-diff --quick --fail-unmatched --fail-if='Shop$CartListner count>0' old new
cat .err
