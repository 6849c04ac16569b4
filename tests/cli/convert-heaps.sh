# --heaps: the objects of the named heaps, the classes, and nothing that
# dangles; the same from a pipe and on one thread.
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
fixture hotspot >a
code hprof-convert --heaps=app a b
cat .err
left_over a
no_temp
