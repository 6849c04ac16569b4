# If the output cannot be written, the exit status is 2, whatever the result
# was.
[ -e /dev/full ] || skip "no /dev/full"
fixture hotspot >a
for p in validate diff convert; do
    for f in '' --format=json; do
        [ $p$f = convert--format=json ] && continue
        # shellcheck disable=SC2086
        hprof-$p $f a >/dev/full 2>.err
        echo "$? hprof-$p $f"
        [ -s .err ] || echo "no message"
        # shellcheck disable=SC2086
        hprof-$p $f a >&- 2>.err
        echo "$? hprof-$p $f, closed"
    done
done
hprof-convert --compress=zstd a >/dev/full 2>.err
echo "$? zstd"
hprof-convert --compress=gzip a >/dev/full 2>.err
echo "$? gzip"
cat .err
(ulimit -f 1 && hprof-convert a b 2>&1) # it is longer
echo "$? too large"
# a report that is written piece by piece also gives the reason
top=$(cd "$(dirname "$2")/../.." && pwd)
for how in --format=html --format=csv; do
    (ulimit -f 1 && hprof-diff --by=path $how -o b \
        "$top/corpus/shop-after.hprof.zst" 2>&1)
    echo "$? too large, $how"
done
left_over a
no_temp
