# --to=text writes the agent's format from the dumps of every writer. A pipe or
# one thread gives the same result. Names are escaped, and damage is refused.
# needs: text
worlds | while read -r name size; do
    fixture "$name" --id-size="$size" >a
    quiet hprof-convert --to=text a b
    hprof-convert --to=text --threads=1 - <a 2>.err | cmp - b
    # roots, then objects and arrays, then classes
    awk '/^HEAP DUMP BEGIN/ { at = 1 }
        /^(ROOT|OBJ|ARR|CLS) / {
            n = $1 == "ROOT" ? 1 : $1 == "CLS" ? 3 : 2
            if (n < at) { print "order: " $0; exit }
            at = n
        }' b
    # as many lines as sub-records
    hprof-convert --to=ndjson a 2>.err | jq -r '.record | select(
        test("^(INSTANCE|OBJECT_ARRAY|PRIMITIVE_ARRAY)_"))' | wc -l >want
    grep -c '^OBJ \|^ARR ' b >got
    same_or_say "$name $size: objects" want got
    hprof-convert --to=ndjson a 2>.err | jq -r '.record | select(
        test("^ROOT_"))' | wc -l >want
    grep -c '^ROOT ' b >got
    same_or_say "$name $size: roots" want got
    # a native image has roots of classes that are not dumped
    [ "$name" = native ] || quiet hprof-validate --strict b
    rm -f b
done
# Android's array classes have additional static fields.
fixture art >a
hprof-convert --to=text a 2>.err | sed '/^CLS .*(name=int\[\]/ {
    n
    a\
\	static $classOverhead\	70001301
}' >b
code hprof-validate --strict --format=json b
jq -c '.files[0].rules[] | select(.rule == "array-class-shape") |
    [.severity, .count]' .out
rm b
fixture agent >a
hprof-convert --to=text a
fixture hostile-names >a
hprof-convert --to=text a | LC_ALL=C tr -d '\n\t' |
    LC_ALL=C grep -c '[[:cntrl:]]'
fixture cut-array >a
code hprof-convert --to=text a b
left_over a got want
no_temp

# ART uses line -2 for a native method. The text keeps this, and reading it
# again gives the same stacks.
fixture art >a
LC_ALL=C grep -obUaP '\x04\x00{7}\x18' a | cut -d: -f1 |
    while read -r at; do
        printf '\377\377\377\376' |
            dd of=a bs=1 seek=$((at + 29)) conv=notrunc 2>.err
    done
hprof-convert -q --standard a conv
for dump in a conv; do
    hprof-convert -q --to=text $dump text
    grep -c 'Order.java:Native method)' text
    grep 'Compiled' text
    hprof-convert -q text again
    hprof-diff --by=site --all --format=csv --columns=count $dump again 2>.err |
        grep -F ':native method' | grep -c '^[^,]*,\([0-9]*\),\1,'
    rm -f text again
done
