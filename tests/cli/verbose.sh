# -v reports how much was done, how long it took, and on how many threads.
# Without -v or with -q nothing is reported.
# needs: pack text
fixture leak-before >a
fixture leak-after >b
say() {
    "$@" 2>.err >.out
    echo "$? $(sed -E 's/[0-9]+\.[0-9] s/N s/; s/[0-9.]+ [KM]?B/SIZE/g
        s/, [0-9.]+x/, Nx/' .err)"
}
say hprof-validate -v --threads=2 a b
say hprof-validate -v --threads=1 --format=json - <a
say hprof-diff -v --threads=2 a b
say hprof-diff -v --threads=1 --by=package a
say hprof-convert -v --threads=2 a out.zst --compress=zstd
say hprof-convert -v --threads=1 --to=ndjson a
say hprof-convert -v --threads=2 --strip-arrays - <a
# the sizes are those of the files, with their ratio
head -c 1000000 /dev/zero >zero
hprof-convert -v --raw --compress=gzip zero zero.gz 2>.err
sed -E 's/.*: ([^,]*), ([0-9]+)x.*/\1 \2/' .err >told
size=$(stat -c %s zero.gz)
if [ "$size" -lt 1024 ]; then shown="$size B"; else
    shown="$(awk -v n="$size" 'BEGIN { printf "%.1f KB", n / 1024 }')"
fi
awk -v n="$size" -v s="$shown" 'BEGIN { printf "976.6 KB to %s %.0f\n",
    s, 1000000 / n }' >want
same want told
for p in validate diff 'convert --to=text'; do
    say hprof-$p a
    say hprof-$p -v -q a
done
