# --raw and --to=pack accept any input. From truncated or damaged compressed
# data they write what can be uncompressed, and print a message even with -q.
# All other conversions refuse such data.
# needs: pack
need gzip zstd
fixture many-objects --id-size=8 >a
gzip -nc a >gz
zstd -qc a >zst
hprof-convert -q --compress=gzip a blocks
hprof-convert -q --compress=zstd a frames
for kind in gz zst blocks frames; do
    size=$(wc -c <$kind)
    head -c $((size / 3 * 2)) $kind >$kind.cut
    cp $kind $kind.bad
    printf 'damage' | dd of=$kind.bad bs=1 seek=$((size / 2)) conv=notrunc \
        status=none
    for file in $kind.cut $kind.bad; do
        code hprof-convert -q --raw $file raw
        sed 's/offset [0-9]*/offset N/; s/decompressed, .*/decompressed, N/' .err
        # before the truncation the bytes are those of the dump; damaged bytes
        # are not compared
        case $file in
        *.cut) cmp -n "$(wc -c <raw)" a raw ;;
        *) cmp -n 65536 a raw ;;
        esac
        [ "$(wc -c <raw)" -gt 65536 ] || echo "$file: little"
        for threads in 1 3; do
            hprof-convert --raw --threads=$threads - <$file 2>.err |
                cmp -s - raw || echo "$file: other bytes by $threads threads"
        done
        code hprof-convert -q --to=pack $file pack
        [ -s .err ] || echo "$file: a pack, and nothing is said"
        quiet hprof-convert --raw pack back
        same raw back
        code hprof-convert $file none
        rm -f raw pack back
    done
done

# a pack: the blocks before the lost one
seq 4000000 >numbers # more than a block
hprof-convert -q --to=pack numbers p
printf 'damage' | dd of=p bs=1 seek=$(($(wc -c <p) / 4 * 3)) conv=notrunc status=none
code hprof-convert -q --raw p raw
sed 's/[0-9.]\{3,\}/N/g' .err
cmp -s -n "$(wc -c <raw)" raw numbers || echo "other bytes"
[ -s raw ] && [ "$(wc -c <raw)" -lt "$(wc -c <numbers)" ] || echo "no part"
code hprof-convert p none

# nothing can be uncompressed, so nothing is written
head -c 12 gz >head
code hprof-convert --raw head none
cat .err
code hprof-convert --to=pack head none
left_over a gz zst blocks frames p raw numbers head \
    gz.cut gz.bad zst.cut zst.bad blocks.cut blocks.bad frames.cut frames.bad
no_temp
# if the rest is useless, the message still reports the damage
fixture hotspot >plain
gzip -nc plain | head -c 15 >cut.gz
refused hprof-convert --salvage cut.gz o
hprof-convert -q --to=pack plain one.pack
printf '\377\377\377\377' |
    dd of=one.pack bs=1 seek=100 conv=notrunc status=none
refused hprof-convert --salvage one.pack o | grep -c 'block 0.*no header'
