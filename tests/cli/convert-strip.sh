# --strip-arrays sets the elements of primitive arrays to zero and keeps every
# other byte. The separate decoder of tests/payload.c checks this.
mkdir stripped
whole | while read -r name size; do
    b=stripped/$name-$size
    fixture "$name" --id-size="$size" >a
    quiet hprof-convert --strip-arrays a $b
    payload a $b >.judge || { echo "$name $size: $(cat .judge)"; }
    hprof-diff --exit-code a $b >.out 2>.err || echo "$name $size: diff $?"
done
hprof-validate -q --strict stripped/* >.out 2>.err || echo "strict: $?, $(cat .out)"
(cd stripped && no_temp)
rm -r stripped
fixture hotspot >a
hprof-convert --strip-arrays a b
payload a b
hprof-convert --strip-arrays a 2>.err | cat >c
same b c
hprof-convert --strip-arrays - <a 2>.err >d
same b d
hprof-convert --strip-arrays --threads=1 a e
same b e
# options add up in any order: no option undoes another
rm -f c
for types in arrays fields; do
    hprof-convert --strip-$types=byte,int,long a c 2>.err
    hprof-convert --strip-$types=long --strip-$types=int,byte a 2>.err | cmp - c
    rm -f c
    hprof-convert --shape-only a c 2>.err
    hprof-convert --shape-only --strip-$types=int a 2>.err | cmp - c
    hprof-convert --strip-$types=int --shape-only a 2>.err | cmp - c
    rm -f c
done
rm .judge
# records with unknown contents are copied, but a strip refuses them
for tag in 77 10 2c; do
    { cat a; printf "\\x$tag\0\0\0\0\0\0\0\6SECRET"; } >u
    code hprof-convert --shape-only u v
    code hprof-convert u w
    rm -f w
done
{ cat a; printf '\x10\0\0\0\0\0\0\0\0'; } >u
code hprof-convert --shape-only u v
