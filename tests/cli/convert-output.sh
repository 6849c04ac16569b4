# Output files are complete or do not exist. No file is overwritten without
# --force, and never the input.
# needs: pack
fixture hotspot >a
fixture cut-array >broken
echo old >b
code hprof-convert a b
cat b
code hprof-convert --force a b
same a b
code hprof-convert a -o c
same a c
code hprof-convert --output=d a
same a d
ln a hard
ln -s a soft
for f in a ./a hard soft; do
    code hprof-convert a $f
    code hprof-convert --force a $f
done
hprof-convert --force - <a a
echo $?
hprof-convert --force a - >>a
echo $?
fixture hotspot | cmp - a
code hprof-convert a nosuch/out
code hprof-convert broken out
code hprof-convert --strip-arrays broken out
mkdir dir
code hprof-convert a dir
code hprof-convert --force a dir
left_over a b c d broken hard soft dir
no_temp
# names that suggest another format than the contents
for name in n.pack n.xz n.hprof; do
    hprof-convert a $name 2>&1
done
hprof-convert -q --to=pack --force a n.pack 2>&1
