# gzip output has HotSpot's layout: the comment, members of at most 1 MiB.
need gzip
fixture many-objects >a
quiet hprof-convert a a.gz
head -c 40 a.gz | tr -d '\0' | grep -ac 'HPROF BLOCKSIZE='
od -An -tx1 -N4 a.gz
gzip -tv a.gz 2>&1 | grep -c OK
# the same read in parallel and not
for threads in 1 2 4; do
    hprof-convert --threads=$threads --compress=none a.gz - 2>.err >b
    same a b
done
