# --strings: the lines of Strings have the complete values. All other bytes of
# the text stay the same. The result is the same from a pipe, from a pack, and
# on one thread.
# needs: pack text
for name in strings strings-big strings-old; do
    fixture "$name" >a
    echo "$name"
    hprof-convert --to=text --strings a b 2>&1 | sed 's/.*a: //'
    grep '^OBJ' b | cut -c 1-120
    # long values are complete, and nothing is lost where two pieces meet
    sed -n 's/.*value="\(a\{100\}.*\)".*/"\1"/p' b |
        jq -c '[length, (gsub("a+"; "+"))]'
    sed '/^OBJ/s/, value=".*")$/)/' b >c
    hprof-convert --to=text a d
    same c d
    for threads in 1 3; do
        hprof-convert --to=text --strings --threads=$threads - <a 2>.err |
            cmp - b
    done
    gzip -c a | hprof-convert --to=text --strings - 2>.err | cmp - b
    hprof-convert --to=pack a p
    hprof-convert --to=text --strings p 2>.err | cmp - b
    rm b d p
done
all_worlds | while read -r name size; do
    fixture "$name" --id-size="$size" >a
    echo "$name $size $(hprof-convert --to=text --strings a 2>.err |
        sed -n 's/^OBJ .*, \(value=.*\))$/\1/p' | paste -sd ' ')"
done
code hprof-convert --strings a b
# thousands of additional dumps with a class each: their tables do not fit
{
    printf '\14\0\0\0\0\0\0\0\53\40\20\0\0\10'
    head -c 38 /dev/zero
} >one
for _ in 0 1 2 3 4 5 6 7 8 9; do
    cat one one one one one one one one one one
done >hundred
{
    fixture strings --id-size=4
    for _ in 0 1 2 3 4 5 6 7 8 9; do
        cat hundred hundred hundred hundred
    done
} >a
rm one hundred
code hprof-convert --memory=40MB --to=text --strings a b
sed 's/.*: //' .err
# whether they fit does not depend on the number of threads
hprof-convert --to=text --strings --threads=1 a >b
grep -c '^OBJ .*, value=' b
hprof-convert --to=text --strings --threads=16 a | cmp - b
rm b
left_over a c
no_temp
