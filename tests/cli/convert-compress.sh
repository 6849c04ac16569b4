# zstd and gzip output, chosen by suffix or option. The usual tools restore the
# original, and so does reading the output again.
need zstd gzip
{ worlds; echo many-objects 8; echo empty-is-not-a-dump 0; } |
while read -r name size; do
    [ "$size" = 0 ] && continue
    fixture "$name" --id-size="$size" >a
    quiet hprof-convert a a.zst
    quiet hprof-convert a a.gz
    zstd -dqc a.zst >b && same_or_say "$name zst" a b
    gzip -dc a.gz >b && same_or_say "$name gz" a b
    hprof-convert --compress=zstd a 2>.err | zstd -dqc >b
    same_or_say "$name zst to a pipe" a b
    hprof-convert --compress=gzip:9 a 2>.err | gzip -dc >b
    same_or_say "$name gz to a pipe" a b
    # its first 1.2 MB at this level are below
    if [ "$name" != many-objects ]; then
        hprof-convert --compress=zstd:19 - <a 2>.err | zstd -dqc >b
        same_or_say "$name zst:19" a b
    fi
    quiet hprof-convert --compress=none a.zst c
    same_or_say "$name back from zst" a c
    quiet hprof-convert --force a.gz c
    same_or_say "$name back from gz" a c
    rm -f a.zst a.gz c
done
# a name that is only a suffix also chooses the compression, in any folder
for name in .gz ./.gz; do
    quiet hprof-convert a $name
    gzip -dc $name >b && same_or_say "$name" a b
    rm -f .gz
done
left_over a b
no_temp

# A compression level uses only the memory that --memory allows, by using fewer
# threads, or it is refused. (These levels are quick with zeros and still take
# as much memory. Fewer bytes would not be enough blocks for so many threads.)
fixture many-objects --id-size=8 >m
{ head -c 1200000 m; head -c 20M /dev/zero; } >n
peak 256 hprof-convert --raw --compress=zstd:19 --threads=16 --memory=256MB \
    n n.zst
peak 64 hprof-convert --raw --compress=gzip:12 --threads=64 --memory=64MB n n.gz
peak 64 hprof-convert --to=ndjson --threads=64 --memory=64MB m m.json
zstd -dqc n.zst >b && same_or_say "many-objects zst:19" n b
gzip -dc n.gz >b && same_or_say "many-objects gz:12" n b
refused hprof-convert --compress=zstd:19 --memory=32MB m none.zst
left_over a b m n n.zst n.gz m.json
# the valid levels, and the messages for invalid ones
for level in -7 -1 1 zero 0 -8 23 99; do
    refused hprof-convert --compress=zstd:$level a - |
        sed 's/^0 [1-9][0-9]* /0 N/'
done
