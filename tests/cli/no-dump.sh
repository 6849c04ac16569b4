# What is no dump: invalid for validate, a framing error for convert, trouble
# for diff. Nothing is written.
for f in empty text elf zip phd version version-endless id-size header-only \
    cut-header; do
    fixture $f >$f
    code hprof-validate $f
    code hprof-diff $f
    code hprof-convert $f out
    [ -s .err ] || echo "no message"
    hprof-validate --format=json $f | jq -c '.files[] | [.verdict, .bytes]'
    rm $f
done
# a name that fills the first bytes is not all there is
need tar
name=a_dump_whose_name_is_longer_than_its_header_is.hprof
fixture hotspot >$name
tar -cf archive $name
for p in validate diff convert; do
    hprof-$p archive 2>&1 | grep -o 'it is .*'
done
rm archive $name
left_over
no_temp
