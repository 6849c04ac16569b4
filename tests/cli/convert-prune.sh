# --prune-classes: each class of the fixture is kept for another reason. A class
# without a reason is removed, with its LOAD CLASS and its roots, and no
# reference to it is left.
for name in uses:4 uses:8 uses-large:8 art:4 dalvik:4; do
    fixture "${name%:*}" --id-size="${name#*:}" >a
    echo "$name"
    hprof-convert --heaps=app --prune-classes a b 2>&1 | sed 's/.*a: //'
    hprof-convert --heaps=app --prune-classes --threads=1 - <a 2>.err |
        cmp - b
    hprof-validate --strict --format=json --disable=core-class b >.out ||
        echo "not valid"
    jq -c '.files[] | .references.dangling, (.rules[] | select(.rule ==
        "load-without-dump" or .rule == "root-missing"))' .out
    hprof-convert --heaps=app a c 2>.err
    for file in b c; do
        hprof-convert --to=ndjson $file 2>.err >$file.json
        grep -F '"record":"CLASS_DUMP"' $file.json | jq -r .name |
            sort >$file.names
    done
    comm -13 b.names c.names | paste -sd ' '
    # only classes, their roots and their LOAD CLASS records were removed
    for file in b c; do
        grep -vE '"record":"(CLASS_DUMP|LOAD_CLASS|HEAP_DUMP_SEGMENT|'\
'ROOT_STICKY_CLASS|ROOT_VM_INTERNAL)"' $file.json |
            sed 's/"offset":[0-9]*,//' >$file.rest
    done
    same b.rest c.rest
    rm b c
done
fixture uses >a
code hprof-convert --prune-classes a b
left_over a b.json c.json b.names c.names b.rest c.rest
no_temp
