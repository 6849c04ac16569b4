# --memory also limits packing and unpacking. Fewer threads are used, and a
# limit that is too small for one block is refused. Any bytes can be packed;
# these make seven blocks.
# needs: pack
head -c 100M /dev/urandom >a
peak 200 hprof-convert --threads=8 --memory=200MB --to=pack a a.pack || cat .err
peak 400 hprof-convert --threads=8 --to=pack --memory=400MB a b.pack || cat .err
cmp a.pack b.pack
peak 128 hprof-convert --threads=8 --memory=128MB a.pack c || cat .err
cmp a c
code hprof-validate --threads=8 --memory=128MB a.pack # no dump, but read
refused hprof-convert --memory=80MB --to=pack a d.pack
[ ! -e d.pack ] || echo "an output is left"
# the size of a pipe is not known in advance
fixture hotspot >small
mkfifo pipe
cat small >pipe &
refused hprof-convert --memory=80MB --to=pack pipe e.pack
wait
quiet hprof-convert --memory=32MB --to=pack small e.pack
hprof-convert e.pack | cmp - small
# A dump of 17 MB has blocks of 4 MB, which take less memory, so the pack is the
# same. A larger input is then refused.
{
    printf '\1\0\0\0\0\0\1\0\4\0\0\0\11'
    head -c 65536 /dev/urandom
} >text
for _ in 0 1 2 3 4 5 6 7 8 9; do cat text text text text text text text text; done >texts
{ fixture hotspot --id-size=4 && cat texts texts texts; } >middle
for memory in 41 42 64 96; do
    quiet hprof-convert --to=pack --threads=4 middle m.pack
    peak $memory hprof-convert --to=pack --threads=4 --memory=${memory}MB \
        middle f.pack || head -n 1 .err
    [ ! -e f.pack ] || cmp m.pack f.pack
    rm -f f.pack m.pack
done
head -c 17M a >long # of no dump the first block is as long as any
refused hprof-convert --to=pack --memory=64MB long f.pack
peak 96 hprof-convert --to=pack --threads=4 --memory=96MB long f.pack || cat .err
rm text texts middle long f.pack
# high levels need more memory
cat small >pipe &
refused hprof-convert --to=pack --compress=zstd:19 --memory=185MB pipe f.pack
wait
# a limit is respected or refused: this is less than any conversion needs
for o in "" --to=text --to=ndjson --strip-arrays --profile=1.0.1 --to=pack; do
    # shellcheck disable=SC2086
    refused hprof-convert --memory=23MB $o small f
    [ ! -e f ] || echo "an output is left"
done
fixture many-objects --id-size=8 >m
for o in "" --strip-arrays --shape-only --salvage --profile=1.0.1 --to=text \
    --to=ndjson --compress=gzip:1 --strip-arrays=int --strip-matching=secrets; do
    for memory in 24 32 48; do
        # shellcheck disable=SC2086
        peak $memory hprof-convert --threads=8 --memory=${memory}MB $o m f
        case $? in
        0) rm f ;;
        2) grep -q -e '--memory' .err || echo "$memory $o: $(cat .err)" ;;
        *) echo "$memory $o: $?" ;;
        esac
        looked
    done
done
looked_at 30
# a pack of kilobytes with 400 MB of strings, which a comparison need not keep
{
    printf '\1\0\0\0\0\0\1\0\4\0\0\0\11'
    head -c 65536 /dev/zero | tr '\0' a
} >one
for _ in 0 1 2 3 4 5 6 7; do cat one one one one one one one one; done >many
{
    fixture hotspot --id-size=4
    for _ in 0 1 2 3 4 5 6 7 8 9; do
        cat many many many many many many many many many many
    done
} | hprof-convert --raw --to=pack - strings.pack
rm many
peak 200 hprof-diff --threads=2 strings.pack || cat .err
[ -s .out ] || echo "nothing put out"
# the memory of the scan before packing counts
crafted kinds 8 >kinds
peak 96 hprof-convert --to=pack --strip-strings --memory=96MB kinds k.pack
echo "$? $(grep -c ' fit in --memory; allow more' .err)"
# the memory for very many classes counts
crafted below 8 >classes
peak 64 hprof-convert --to=pack --memory=64MB classes c.pack || cat .err
hprof-convert c.pack | cmp - classes
# If there are many classes with one object each, most objects are packed as
# plain bytes in blocks of 8 MB. The encoder is freed before the pack is read
# back.
crafted singles 18 >classes
peak 64 hprof-convert --to=pack --memory=64MB classes c.pack --force || cat .err
hprof-convert c.pack | cmp - classes
