# gzip output has the layout of HotSpot: the comment, and members of at most 1
# MiB.
need gzip
fixture many-objects >a
quiet hprof-convert a a.gz
head -c 40 a.gz | tr -d '\0' | grep -ac 'HPROF BLOCKSIZE='
od -An -tx1 -N4 a.gz
gzip -tv a.gz 2>&1 | grep -c OK
# reading in parallel gives the same bytes
for threads in 1 2 4; do
    hprof-convert --threads=$threads --compress=none a.gz - 2>.err >b
    same a b
done
