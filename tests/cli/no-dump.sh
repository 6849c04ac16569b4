# An input that is not a dump is invalid for hprof-validate, a framing error for
# hprof-convert, and an error for hprof-diff. Nothing is written.
for f in empty text elf 7z phd version version-endless id-size header-only \
    cut-header; do
    fixture $f >$f
    code hprof-validate $f
    code hprof-diff $f
    code hprof-convert $f out
    [ -s .err ] || echo "no message"
    hprof-validate --format=json $f | jq -c '.files[] | [.verdict, .bytes]'
    rm $f
done
left_over
no_temp
