# A plain conversion copies every byte, to a file and to a pipe.
fixtures valid | while read -r name size; do
    fixture "$name" --id-size="$size" >a
    quiet hprof-convert a b
    same_or_say "$name $size" a b
    hprof-convert a 2>.err | cat >c
    same_or_say "$name $size, pipe" a c
    hprof-convert - <a >d 2>.err
    same_or_say "$name $size, redirected" a d
    rm -f b
done
left_over a c d
no_temp
