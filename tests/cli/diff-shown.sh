# --filter, --top and --heap choose what is shown. Gates, the total and
# --exit-code use every row. Rows that are sums of others are marked.
fixture leak-before >a
fixture leak-after >b
# run OPTION...: print the exit status, the rows, the total and the gates
run() {
    hprof-diff --format=json --fail-if='com.acme.Order growth-count>49' \
        --fail-if='total growth-count>49' --fail-if='no.such* count>0' \
        "$@" >json 2>err
    echo "$? $(jq -c '[(.rows | length), .total.count,
        [.gates[] | .tripped, .matched]]' json) $*"
}
run a b
run --filter='java.*' a b
run --top=1 a b
run --filter='nothing*' a b
for filter in '*' 'java.lang.Class'; do
    hprof-diff --exit-code --filter="$filter" a b >.out
    echo "$?"
done
# Android: the rows of one heap, and the total of all heaps
fixture art >r
for heap in '*' app image none; do
    hprof-diff --format=json --heap="$heap" --fail-if='* count>0' \
        --fail-if='total count>0' r >json 2>.err
    jq -c --arg heap "$heap" '[$heap, ([.rows[].count[0]] | add),
        .dumps[0].objects, .total.count[0], .gates[0].matched]' json
    hprof-diff --format=json --by=heap --heap="$heap" r 2>.err |
        jq -c '[.rows[].key]'
done
# a saved result of one heap: it has the total of all heaps, and gates on rows
# are refused
hprof-diff --format=json --heap=app r >saved.json
hprof-diff --heap=app --all --format=json --fail-if='total growth-count>0' \
    saved.json r | jq -c '[.total.count, .gates[0].tripped]'
refused hprof-diff --heap=app --fail-if='* growth-count>0' saved.json r
refused hprof-diff --heap=app --exit-code saved.json r
# only differences in this heap, or in the totals, count as changes
jq -c '.rows[0].count[0] += 1 | .rows[1].count[0] -= 1' saved.json >row.json
jq -c '.total.count[0] += 1' saved.json >sum.json
for pair in 'saved.json saved.json' 'saved.json r' 'r saved.json' \
    'saved.json row.json' 'row.json r' 'saved.json sum.json' 'r sum.json'; do
    # shellcheck disable=SC2086 # two files
    hprof-diff --heap=app --format=json $pair |
        jq -c --arg pair "$pair" '[$pair, .changed, (.rows | length)]'
done
# packages: without the sums the rows add up to the total
dump=$(dirname "$2")/../../corpus/shop-before.hprof.zst
by_package() {
    hprof-diff --by=package --format="$1" "$dump"
}
by_package json >json
jq -c '([.rows[] | select(.rollup | not).count[0]] | add) == .total.count[0],
    ([.rows[] | select(.rollup)] | length > 5)' json
by_package csv >csv
sed -n 1p csv
awk -F, '$NF == "false" { n += $2 } $NF == "true" { sums++ }
    END { print n, sums }' csv >got
by_package ndjson | tail -n +2 | jq -s -r '"\([.[] | select(.rollup | not)
    .count[0]] | add) \([.[] | select(.rollup)] | length)"' >want
same want got
for by in package cpu class; do
    hprof-diff --by=$by --format=csv "$dump" 2>.err | sed -n 1p
done
