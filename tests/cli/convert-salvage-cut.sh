# --salvage of truncated .gz and .zst files says how far the file could be read,
# how much of the dump that was, and what is unknown about the rest.
need gzip zstd jq
fixture many-objects --id-size=8 >a
gzip -nc a >gz
zstd -qc a >zst
hprof-convert -q --compress=gzip a blocks
hprof-convert -q --compress=zstd a frames
said() {
    sed -n 's/^hprof-convert: [^:]*: offset \([0-9]*\): the .* is truncated .*to'"\
"' byte \([0-9,]*\) of the file: \([0-9,]*\) bytes .* with \([0-9,]*\) obj.*; '"\
"'\(.*\)$/\1 \2 \3 \4 \5/p' "$1" | tr -d ,
}
for kind in gz zst blocks frames; do
    for part in 2 5 9; do
        size=$(($(wc -c <$kind) * part / 10))
        head -c $size $kind >$kind.cut
        code hprof-convert --salvage --force $kind.cut b
        said .err >words
        read -r offset byte bytes objects rest <words
        # the whole file was read; the objects are those of the output
        [ "$byte" -eq $size ] || echo "byte $byte of $size"
        hprof-convert -q --raw --force $kind.cut raw
        [ "$offset" -eq "$bytes" ] && [ "$bytes" -eq "$(wc -c <raw)" ] ||
            echo "at $offset, $bytes bytes of $(wc -c <raw)"
        hprof-validate --format=json b | jq ".files[0] |
            .verdict, (.subrecords | .INSTANCE_DUMP + .OBJECT_ARRAY_DUMP +
                .PRIMITIVE_ARRAY_DUMP) == $objects" | xargs
        echo "$rest"
        hprof-convert --salvage --force - b <$kind.cut 2>piped
        said piped | cmp - words
    done
done
# only the checksum is missing: the dump is complete
head -c -5 gz >gz.cut
code hprof-convert --salvage --force gz.cut b
said .err | cut -d' ' -f5-
cmp a b
# damage in the middle of a file also ends it; a complete file has no such
# message
printf 'damage' | dd of=gz bs=1 seek=90000 conv=notrunc status=none
code hprof-convert --salvage --force gz b
grep -o 'a gzip member is damaged.*up to byte' .err
code hprof-convert --salvage --force frames b
grep -c 'up to byte' .err
rm a gz zst blocks frames b raw words piped
left_over gz.cut zst.cut blocks.cut frames.cut
no_temp
