# For every pair of dumps, --exit-code, "changed", the text "nothing changed"
# and the suspects must agree. Pairs: each valid fixture with the next one and
# with itself, fixtures that belong together, and the corpus.
top=$(dirname "$2")/../..
whole | while read -r name _; do
    [ "$name" != many-objects ] || continue
    fixture "$name" >"$name.hprof"
    echo "$name"
done | uniq >names
for name in shop-before shop-after; do
    zstd -q -dc "$top/corpus/$name.hprof.zst" >$name.hprof
done
{
    awk 'NR > 1 { print last, $1 } { print $1, $1; last = $1 }' names
    echo shop-before shop-after
    echo shop-after shop-after
    sed -n 's/-before$//p' names | while read -r name; do
        ! grep -qx -- "$name-after" names || echo "$name-before $name-after"
    done
    for name in few many platform application; do
        echo cache-before cache-$name
    done
} >pairs
# The table says "nothing changed" in a line of its own.
while read -r a b; do
    itself=false
    [ "$a" != "$b" ] || itself=true
    for way in --by=path --by=dominator --retained; do
        hprof-diff -q $way --exit-code --format=json "$a.hprof" "$b.hprof" \
            >>results 2>.err
        status=$?
        [ $status -lt 2 ] || continue
        hprof-diff -q $way "$a.hprof" "$b.hprof" >table 2>.err
        nothing=false
        while IFS= read -r line; do
            [ "$line" != "nothing changed" ] || nothing=true
        done <table
        printf '{"pair":"%s","status":%s,"nothing":%s,"itself":%s}\n' \
            "$way $a $b" $status $nothing $itself >>results
        looked
    done
done <pairs
jq -nr -f "$top/tests/agree.jq" results || problem "jq failed"
looked_at 250+
# the suspects do not depend on the row key
for way in --by=package --by=loader --by=class --by=path --by=dominator; do
    hprof-diff $way --retained --format=json --exit-code shop-before.hprof \
        shop-after.hprof >json
    echo "$? $(jq -c '[.changed, (.suspects | length > 0)]' json)"
    hprof-diff $way --retained --format=json --filter=no.such.row --exit-code \
        shop-before.hprof shop-after.hprof 2>.err >json
    echo "$? $(jq -c '[.changed, (.rows | length)]' json)"
done
