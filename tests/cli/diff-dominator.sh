# --by=dominator shows who owns the heap. Every reachable object has exactly one
# owner.
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
hprof-diff --by=dominator --format=json a b >ab.json
jq -c '.rows[:3][] | [.key, .count, .retained_count, .delta_retained_bytes]' \
    ab.json
# the fields of the suspects own the bytes that the suspects report
jq -c '[.suspects[].delta_retained_bytes] as $s |
    [.rows[:2][].delta_retained_bytes | . >= $s[0] or . >= $s[1]]' ab.json
# all rows together are the reachable bytes and objects of every dump
for dump in a b; do
    hprof-diff --by=dominator --format=json $dump >json
    jq -c '([.rows[].retained_count[0]] | add) == .dumps[0].reachable.objects,
        ([.rows[].retained_bytes[0]] | add) == .dumps[0].reachable.bytes,
        ([.rows[].count[0]] | add) == .total.count[0]' json
done
# the number of objects in the dump is reported for every row key
told() {
    hprof-diff "$1" --format=json b | jq -c '.dumps[0] | [.objects, .bytes]'
    hprof-diff "$1" --format=rows b |
        jq -c 'select(.kind == "dump") | [.objects, .heap_bytes]'
    hprof-diff "$1" b | sed -n 's/.*UTC  \(.*\)  (layout.*/\1/p'
}
for how in --by=class --by=dominator --by=path --why='*Cart' --by=holder; do
    told "$how"
done | sort | uniq -c | sed 's/^ *//'
# every kind of input, a saved result, and a gate
hprof-diff --by=dominator --format=json b | plain_json - >want
cat b | hprof-diff --by=dominator --threads=1 --format=json - |
    plain_json - >got
same want got
hprof-diff --by=dominator --format=json a >saved.json
hprof-diff --by=dominator --format=json saved.json b >json
jq .rows json >got
jq .rows ab.json >want
same want got
# a result in which a dump has the owners' objects is of an earlier version
jq -c '.dumps[0].objects = .total.count[0]' saved.json >early.json
refused hprof-diff --by=dominator early.json b
hprof-diff --by=dominator --fail-if='*(static) growth-retained>1MB' a b >.out
echo $?
hprof-diff --by=dominator --fail-if='*(static) growth-retained>2MB' a b >.out
echo $?
# a gate on owners passes; a message says which rows it does not count
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
        grep -o '</code> counts only.*'
done
# in the folded format an owner weighs what it keeps alive, and the sum is what
# is reachable
hprof-diff --by=dominator --format=folded a b | grep -c static
hprof-diff --by=dominator --format=folded b | awk '{sum += $NF} END {print sum}' \
    >got
hprof-diff --by=dominator --format=json b | jq '.dumps[0].reachable.bytes' >want
same want got
hprof-diff --by=dominator --format=json a b b >three.json
jq -c '[.rows[0].key, .rows[0].grows]' three.json
# several kinds of roots; objects that no class keeps alive
fixture leak-after >c
hprof-diff --by=dominator --format=csv c | cut -d, -f 1,2,4,5
# a thread's row has its name, as in paths; the objects on its stack belong to
# it
hprof-diff --by=path --all --format=json c >json
jq -c '.rows[] | select(.key == "thread \"main\" java.lang.Thread") |
    [.key, .retained_count]' json
# a stripped name is not shown
quiet hprof-convert --shape-only c stripped
for by in path dominator; do
    hprof-diff --by=$by --all --format=json stripped | jq -c '.rows[] |
        select(.key == "thread java.lang.Thread") | [.key, .retained_count]'
done
refused hprof-diff --by=dominator --heap=app a
refused hprof-diff --by=dominator --fillers=hide a
# If several roots refer to an object, the root that counts for paths is shown,
# wherever it is in the file. If stacks or monitors and a static field refer to
# an object, it belongs to the static field.
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
# a thread's object is the first existing object to which its roots refer
for dump in thread-root-zero thread-root-missing; do
    fixture $dump >a
    hprof-diff --by=path --all --format=json a |
        jq -c '.rows[] | select(.key | startswith("thread")) | [.key, .count]'
done
# A gate on a static field does not count objects to which a stack also refers.
# If this could hide growth, a warning is printed.
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
# nor does it count the objects inside these; the same for a saved result
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
# If several static fields of a class lead to an object, none of them owns it.
# Neither the array of 1 MB nor the objects that refer to it are in a field's
# row.
for name in fields-to-object fields-to-list fields-up-and-down; do
    fixture $name >$name
    echo "$name"
    hprof-diff --by=dominator --format=csv $name | grep acme.Cache
    for gate in 'com.acme.Cache.* retained>1KB' 'class * retained>900KB'; do
        code hprof-diff --by=dominator --format=csv --fail-if="$gate" $name
        cat .err
    done
done
# a saved result has only the rows; they say what gates on fields do not count
hprof-diff --by=dominator --format=json fields-to-list >saved.json
hprof-diff --by=dominator --format=csv --fail-if='*(static) retained>900KB' \
    fields-to-list saved.json 2>&1 >.out
