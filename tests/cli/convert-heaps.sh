# --heaps keeps the objects of the given heaps and all classes, and no reference
# dangles. A pipe or one thread gives the same result.
for name in art dalvik; do
    fixture "$name" >a
    for heaps in app app,zygote; do
        hprof-convert --heaps="$heaps" a b >.out 2>.err
        status=$?
        echo "$name $heaps: $status $(sed 's/.*a: //' .err)"
        [ $status -eq 0 ] || continue
        hprof-validate --format=json b >.out
        jq -c '.files[] | [.verdict, .references.dangling, .subrecords]' .out
        hprof-convert --heaps="$heaps" --threads=1 - <a 2>.err | cmp - b
        rm b
    done
done
code hprof-convert --heaps=nobody a b
# heap 0 has no name if objects come before any HEAP_DUMP_INFO: hprof-diff calls
# it "default"
code hprof-convert --heaps=default a b
cat .err
{
    printf 'JAVA PROFILE 1.0.3\0\0\0\0\4\0\0\0\0\0\0\0\0'
    printf '\1\0\0\0\0\0\0\0\7\0\0\0\4app'
    printf '\34\0\0\0\0\0\0\0\56'
    printf '\43\0\0\0\10\0\0\0\0\0\0\0\1\10a'
    printf '\376\0\0\0A\0\0\0\4\43\0\0\0\20\0\0\0\0\0\0\0\3\10bbb\377\0\0\0\20'
    printf '\54\0\0\0\0\0\0\0\0'
} >c
hprof-diff --by=heap --format=csv c | cut -d , -f 1,2
for heaps in default app default,app; do
    hprof-convert --heaps=$heaps c 2>.err | hprof-convert --to=ndjson - |
        jq -r 'select(.elements) | .id' | tr '\n' ' '
    sed 's/.*c: /: /' .err
done
rm c
fixture hotspot >a
code hprof-convert --heaps=app a b
cat .err
# for a truncated dump the message reports the truncation, not that the heap is
# missing
fixture art >a
head -c 2500 a >cut
refused hprof-convert --heaps=app cut
refused hprof-convert --heaps=default cut
rm cut
left_over a
no_temp
