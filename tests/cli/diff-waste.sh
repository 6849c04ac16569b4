# --by=waste shows the memory that a heap wastes, and the fields that refer to
# it. tests/unit/test_diff_waste.c compares with a slow, simple computation, and
# diff-waste-jvm tests the dumps of JVMs.
need jq
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
rows() {
    hprof-diff --by=waste --format=json "$@"
}
# the savings of duplicate strings, as an independent script computes them from
# NDJSON: by interning and by deduplication
rows b >b.json
jq -c '.rows[] | select(.key == "duplicate-strings") | [.key, .waste, .dedup]' b.json
# the rows add up to the total; each kind also has a row with its sum
jq -c '[.rows[] | select(.rollup or .beside | not) | .waste[0]] | add' b.json >sum
jq -c '[.rows[] | select(.rollup and (.beside | not)) | .waste[0]] | add' b.json >kinds
jq -c '.total.waste[0]' b.json >total
same sum total
same kinds total
jq -c '.total.waste[0] < .dumps[0].bytes' b.json
jq -r '.rows[] | select(.rollup) | .key' b.json | sort
# the total does not include some kinds; three of them need the object graph
jq -c '.rows[] | select(.rollup and .beside) | [.key, .count, .waste]' b.json
rows --retained b >graph.json
jq -c '.rows[] | select(.rollup and .beside) | [.key, .count, .waste]' graph.json
[ "$(jq '[.rows[] | select(.key == "unreachable")][0] | [.count[0], .waste[0]]' graph.json)" = \
    "$(jq '.dumps[0].unreachable | [.objects, .bytes]' graph.json)" ] ||
    echo "unreachable differs"
jq -c '.rows[] | select(.beside | not)' b.json >want
jq -c '.rows[] | select(.beside | not)' graph.json >got
same want got
# a screen shows their sums after the total, also with --top
hprof-diff --by=waste --retained --top=1 b | sed 's/  */ /g; 1,/^ *count/d'
# hprof-concepts(7) defines every kind
sed -n 's/^WASTE([^"]*"\([^"]*\)".*/\1/p' "$top/diff/waste/waste_kinds.def" |
    while read -r kind; do
        grep -q "^\.It Li \(.* , \)*$kind\( ,.*\)*$" "$top/man/hprof-concepts.7" ||
            problem "hprof-concepts(7) does not define $kind"
        looked
    done
looked_at 18
# the cache of sessions grew: its keys are boxes
rows a b | jq -c '.rows[] | select(.key | test("SESSIONS")) |
    [.key, .delta_count, .delta_waste]'
gate() {
    code hprof-diff --by=waste --fail-if="$1" a b
}
gate 'duplicate-arrays growth-waste>1MB'
gate 'duplicate-arrays growth-waste>100MB'
gate 'boxed-collections → Shop.SESSIONS (static) growth-count>100'
gate 'Shop.SESSIONS (static) growth-count>100'
gate 'duplicate-strings waste>5%'
gate 'duplicate-arrays waste>5%'
gate 'total waste>99%'
gate 'total growth-waste>10MB'
gate 'total waste>1%'
gate 'headers waste>1%'
gate 'headers → Shop$CartListener growth-count>1000'
# a percentage without growth- is a share of the heap, for waste only
code hprof-diff --fail-if='total bytes>5%' b
# saved results
rows --all a >a.json
rows a b >ab.json
rows a.json b.json >saved.json
jq -c .rows ab.json >want
jq -c .rows saved.json >got
same want got
jq -c .total ab.json >want
jq -c .total saved.json >got
same want got
# other formats
hprof-diff --by=waste --format=csv b | head -n 2
hprof-diff --by=waste --top=2 b | sed -n 's/  */ /g; /^ *count/p; /duplicate/p'
hprof-diff --by=waste --format=html a b >page.html
grep -c 'SESSIONS' page.html
# the panel of the page, also on the page of the classes
panel() {
    page_data <"$1" | jq -c .waste
}
panel page.html >own
jq -r '.words, (.rows | length), (.rows[:2][] | "\(.)")' own
hprof-diff --format=html a b >classes.html
panel classes.html >other
jq -r .words other
jq .rows own >want
jq .rows other >got
same want got
hprof-diff --format=html --quick a b >quick.html
panel quick.html
hprof-diff --by=waste --show-values --format=html a b >page.html
panel page.html | jq -c '[.rows[] | .[3] // empty]'
grep -c '"partsOfHeap":true' page.html
hprof-diff --by=waste --format=rows b | jq -c 'select(.key == "duplicate-strings")
    | [.key, .count, .waste, .dedup, .good]'
# every number of threads gives the same rows
for n in 1 2 3 8; do
    rows --threads="$n" b | cmp -s - b.json || problem "threads $n"
    looked
done
looked_at 4
# the lines of --collections come before those of the table: each free slot of
# a list is waste then, and nothing of maps
printf '%s\n' '# comment' 'java.util.ArrayList exact size elementData' '' \
    'java.util.HashMap none - table # comment' >lines
rows --collections=lines b | jq -c '.rows[] | select(.rollup) |
    select(.key | test("collections")) | [.key, .count, .waste]'
for line in 'a b c' 'a half-more b' 'a half-more b c d' 'a - b c'; do
    echo "$line" >lines
    hprof-diff --by=waste --collections=lines b 2>&1 | head -n 1
done
hprof-diff --by=waste --collections=missing b 2>&1 | head -n 1
hprof-diff --by=class --collections=/dev/null b 2>&1 | head -n 1
# texts are shown only on request; a stripped dump has none
jq -c '[.rows[] | select(.example)]' b.json
rows --show-values b >values.json
jq -c '.rows[] | select(.key | test("^duplicate-strings$|PLANTED"; "x")) | select(.example) |
    [.key, .example]' values.json
jq -c '[.rows[] | select(.example) | .key | sub(" .*"; "")] | unique' values.json
jq 'del(.rows[].example)' values.json >got
jq . b.json >want
same want got
hprof-diff --by=waste --show-values --filter='*PLANTED*' b | grep -A1 'strings.*PLANTED' |
    sed 's/  */ /g'
hprof-diff --show-values --by=package b 2>&1 | head -n 1
# dumps without payload
hprof-convert --strip-arrays b -o bare 2>.err
rows bare 2>warning | jq -c '[.rows[].key | select(test("^(dup|zero|trail|wide)"))]'
cat warning
hprof-convert --strip-arrays=byte,char b -o mute 2>.err
rows --show-values mute 2>/dev/null | jq -c '[.rows[] | select(.example)]'
rows mute 2>warning | jq -c '[.rows[].key | select(test("^(duplicate-s|wide)"))]'
cat warning
hprof-convert --strip-arrays --keep-first=6 b -o short 2>.err
rows short 2>warning | jq -c '[.rows[].key | select(test("^(dup|zero|trail|wide)"))]'
cat warning
# writers of all kinds, and damaged dumps: every byte counts at most once
worlds | while read -r name size; do
    fixture "$name" --id-size="$size" >dump
    rows --dump=1 dump 2>.err >dump.json || problem "$name $size"
    jq -e '.total.waste[0] <= .dumps[0].bytes' dump.json >.out ||
        problem "$name $size: more waste than heap"
    looked
done
looked_at 21
