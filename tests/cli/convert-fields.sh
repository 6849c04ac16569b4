# Strip fields, static fields and strings. The structure, the names and the
# histogram stay, but strings that are not names are removed. A pipe gives the
# same bytes.
worlds | while read -r name size; do
    fixture "$name" --id-size="$size" >a
    quiet hprof-convert --shape-only a b
    [ "$(wc -c <a)" = "$(wc -c <b)" ] || echo "$name $size: another length"
    hprof-validate b >.out 2>.err || echo "$name $size: not valid"
    hprof-diff --exit-code a b >.out 2>.err || echo "$name $size: diff"
    hprof-convert --shape-only - <a 2>.err | cmp - b
    quiet hprof-convert --strip-fields b c
    same_or_say "$name $size: nothing was left to strip" b c
    hprof-convert --strip-fields=int,long --strip-strings --threads=1 a \
        2>.err | cmp -s - a && echo "$name $size: nothing changed"
    rm -f b c
done
fixture instance-class >a
code hprof-convert --strip-fields a b
fixture instance-long >a
code hprof-convert --strip-fields a b
left_over a
no_temp
