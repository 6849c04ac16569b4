# --by=dominator: who owns the heap. Every reachable object has one owner.
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
hprof-diff --by=dominator --format=json a b >ab.json
jq -c '.rows[:3][] | [.key, .count, .retained_count, .delta_retained_bytes]' \
    ab.json
# the suspects' fields own what is told of them
jq -c '[.suspects[].delta_retained_bytes] as $s |
    [.rows[:2][].delta_retained_bytes | . >= $s[0] or . >= $s[1]]' ab.json
# all rows: what is reachable, in every dump, in bytes and objects
for dump in a b; do
    hprof-diff --by=dominator --format=json $dump >json
    jq -c '([.rows[].retained_count[0]] | add) == .dumps[0].reachable.objects,
        ([.rows[].retained_bytes[0]] | add) == .dumps[0].reachable.bytes,
        ([.rows[].count[0]] | add) == .total.count[0]' json
done
# the dump's own objects are told, whatever rows are
told() {
    hprof-diff "$1" --format=json b | jq -c '.dumps[0] | [.objects, .bytes]'
    hprof-diff "$1" --format=rows b |
        jq -c 'select(.kind == "dump") | [.objects, .heap_bytes]'
    hprof-diff "$1" b | sed -n '1s/.*UTC  \(.*\)  (layout.*/\1/p'
}
for how in --by=class --by=dominator --by=path --why='*Cart' --by=holder; do
    told "$how"
done | sort | uniq -c | sed 's/^ *//'
# by any way, by a saved result, as a gate
hprof-diff --by=dominator --format=json b | plain_json - >want
cat b | hprof-diff --by=dominator --threads=1 --format=json - |
    plain_json - >got
same want got
hprof-diff --by=dominator --format=json a >saved.json
hprof-diff --by=dominator --format=json saved.json b >json
jq .rows json >got
jq .rows ab.json >want
same want got
# one whose dump has the owners' objects is of an earlier version
jq -c '.dumps[0].objects = .total.count[0]' saved.json >early.json
refused hprof-diff --by=dominator early.json b
hprof-diff --by=dominator --fail-if='*(static) growth-retained>1MB' a b >.out
echo $?
hprof-diff --by=dominator --fail-if='*(static) growth-retained>2MB' a b >.out
echo $?
# a gate that is about the owners alone passes: it says what would not
for gate in 'Shop.* growth-bytes>1MB' 'Shop.* growth-count>2' \
    'Shop.* growth-bytes>5%' 'Shop.* bytes>8' 'Shop.* growth-bytes>64MB' \
    'total growth-count>1000000'; do
    for by in dominator path class; do
        hprof-diff --by=$by --format=csv --fail-if="$gate" a b 2>.err >.out
        echo "$? $by $gate $(cat .err)"
    done
done
gate='Shop.* growth-bytes>1MB'
for by in dominator path; do
    hprof-diff --by=$by --format=json --fail-if="$gate" a b 2>.err |
        jq -c '.gates[0] | [.tripped, .blind]'
    hprof-diff --by=$by --fail-if="$gate" a b 2>.err | tail -n 2
    hprof-diff --by=$by --format=html --fail-if="$gate" a b 2>.err |
        grep -o '</code> checks the rows.*'
done
# folded, an owner weighs what it keeps: all that is reachable
hprof-diff --by=dominator --format=folded a b | grep -c static
hprof-diff --by=dominator --format=folded b | awk '{sum += $NF} END {print sum}' \
    >got
hprof-diff --by=dominator --format=json b | jq '.dumps[0].reachable.bytes' >want
same want got
hprof-diff --by=dominator --format=json a b b >three.json
jq -c '[.rows[0].key, .rows[0].grows]' three.json
# roots of several kinds; what no class keeps
fixture leak-after >c
hprof-diff --by=dominator --format=csv c | cut -d, -f 1,2,4,5
# a thread by its name, as paths have it; what its stack holds is the thread's
hprof-diff --by=path --all --format=json c >json
jq -c '.rows[] | select(.key == "thread \"main\" java.lang.Thread") |
    [.key, .retained_count]' json
# a name that was stripped is none
quiet hprof-convert --shape-only c stripped
for by in path dominator; do
    hprof-diff --by=$by --all --format=json stripped | jq -c '.rows[] |
        select(.key == "thread java.lang.Thread") | [.key, .retained_count]'
done
refused hprof-diff --by=dominator --heap=app a
refused hprof-diff --by=dominator --fillers=hide a
# of several roots that name an object the one that counts for paths, wherever
# it stands; what stacks and monitors name is a static field's, too
fixture several-roots >roots
fixture several-roots-last >last
for by in dominator path; do
    for dump in roots last; do
        hprof-diff --by=$by --format=json $dump | jq -r '.rows[].key |
            select(test("acme.(Roots|Held)") and (test("class") | not))' >$dump.$by
    done
    same roots.$by last.$by
    cat roots.$by
done
# a thread's object is the first one that its roots name and that is there
for dump in thread-root-zero thread-root-missing; do
    fixture $dump >a
    hprof-diff --by=path --all --format=json a |
        jq -c '.rows[] | select(.key | startswith("thread")) | [.key, .count]'
done
# a gate does not see what a static field names and a stack holds, too: it says so
# where that could trip it
for name in registry registry-held registry-grown; do
    fixture $name >$name
done
for gate in '*(static) growth-retained>1MB' '*(static) growth-retained>2MB' \
    '*(static) growth-retained>5%' '*(static) growth-retained-count>60' \
    '*(static) growth-retained-count>61' '*SESS* count>0' '* count>0' \
    'total growth-retained>1KB'; do
    hprof-diff --by=dominator --format=csv --fail-if="$gate" registry \
        registry-grown >.out 2>.err
    echo "$? $gate"
    sed 's/^/    /' .err
done
hprof-diff --by=dominator --format=json registry-held >saved.json
hprof-diff --by=dominator --fail-if='*(static) retained>1KB' saved.json \
    registry-held 2>&1 >.out | sed 's/;.*//'
code hprof-diff --by=dominator --fail-if='*(static) retained>1KB' registry-held \
    registry
cat .err
# nor what is inside of that; of a saved result, too
for name in registry-inner registry-inner-grown; do
    fixture $name >$name
    hprof-diff --by=dominator --format=json $name >$name.json
done
for first in registry-inner registry-inner.json; do
    for last in registry-inner-grown registry-inner-grown.json; do
        for gate in '*(static) growth-retained>1MB' \
            '*(static) growth-retained>2MB' '* growth-retained>1MB' \
            'com.acme* retained-count>60' 'JNI* retained>1MB'; do
            hprof-diff --by=dominator --format=csv --fail-if="$gate" $first \
                $last 2>.err >.out
            echo "$? $(cat .err)"
        done
    done
done | sort | uniq -c
# if several static fields of a class lead to an object, none of them owns it:
# neither the array of 1 MB nor what refers to it is in a field's row
for name in fields-to-object fields-to-list fields-up-and-down; do
    fixture $name >$name
    echo "$name"
    hprof-diff --by=dominator --format=csv $name | grep acme.Cache
    for gate in 'com.acme.Cache.* retained>1KB' 'class * retained>900KB'; do
        code hprof-diff --by=dominator --format=csv --fail-if="$gate" $name
        cat .err
    done
done
# a saved result has only the rows: they tell what gates on fields do not count
hprof-diff --by=dominator --format=json fields-to-list >saved.json
hprof-diff --by=dominator --format=csv --fail-if='*(static) retained>900KB' \
    fields-to-list saved.json 2>&1 >.out
