# An input that uncompresses to very much more: memory stays bounded, and
# --max-size refuses it.
need zstd gzip
case $BUILD in
*/release) ;;
*) skip "only a release build" ;;
esac
timed=$BUILD/../bench/timed
[ -x "$timed" ] || skip "no $timed"
fixture tiny >a
# a dump, then endless zeros: an unknown record of 1 GB
{ cat a; head -c 1G /dev/zero; } | zstd -q >bomb.zst
{ cat a; head -c 200M /dev/zero; } | gzip -1 >bomb.gz
gzip -1 <bomb.gz >bomb.gz.gz
for file in bomb.zst bomb.gz bomb.gz.gz; do
    for p in validate diff; do
        kib=$("$timed" hprof-$p --threads=2 $file 2>.err | cut -f 4)
        [ "$kib" -lt 200000 ] || echo "$p $file: $kib KiB"
    done
    kib=$("$timed" hprof-convert --raw --threads=2 $file 2>.err | cut -f 4)
    [ "$kib" -lt 200000 ] || echo "convert $file: $kib KiB"
    code hprof-validate --max-size=100MB $file
    sed 's/.*: //' .err
    code hprof-diff --partial --max-size=100MB $file
    sed 's/.*: //' .err
    code hprof-convert --raw --max-size=100MB $file out
    sed 's/.*: //' .err
    left_over a bomb.zst bomb.gz bomb.gz.gz
done
