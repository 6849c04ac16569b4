# Bytes after the last gzip member, the last zstd frame or the end of a pack are
# not part of the dump, and all three programs say so. Zeros, as tapes add them,
# are ignored.
# needs: pack
fixture hotspot >a
gzip -nc a >gz
zstd -qc a >zst
hprof-convert -q --to=pack a pack
for z in gz zst pack; do
    { cat $z; echo garbage; } >$z.more
    for command in 'convert --force' 'convert --raw --force' \
        'convert --to=ndjson --force'; do
        hprof-$command $z.more out 2>.err
        echo "$? $(cat .err)"
    done
    hprof-diff $z.more >.out 2>.err
    echo "$? $(cat .err)"
    hprof-diff --by=heap - <$z.more >.out 2>.err
    echo "$? $(cat .err)"
    hprof-validate $z.more | grep -o 'warning .*-trailing'
done
{ cat gz; head -c 512 /dev/zero; } >padded
hprof-diff padded >.out 2>.err
echo "$? $(cat .err)"
hprof-convert --force padded out 2>.err
echo "$? $(cat .err)"
