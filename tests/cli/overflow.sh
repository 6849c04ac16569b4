# A HEAP DUMP of more than 4 GiB, whose length wraps around: as a sparse file,
# and compressed, so that its size is not known in advance.
need zstd
fixture overflow >a || skip "no sparse files"
fixture --info overflow >info
code hprof-validate --format=json a
jq -c --slurpfile info info '.files[0] | $info[0] as $want |
    [.verdict, .bytes == $want.bytes, .records == $want.records,
     .subrecords == $want.subrecords,
     (.rules[] | select(.rule == "heap-dump-overflow") |
      .severity, .count, .examples[0].offset == $want.marks.damage)]' .out
cp .out validated
code hprof-diff --format=json a
jq -c '.rows[] | select(.key == "long[]") | .count' .out
plain() {
    grep -v '^ *"path": \|^ *"compression": '
}
zstd -q -1 -c a >a.zst
plain <validated >want
for how in '--threads=1 a.zst' '--threads=3 a.zst' '--threads=1 a'; do
    # shellcheck disable=SC2086
    hprof-validate --format=json $how | plain >got
    same_or_say "$how" want got
done
code hprof-diff --format=json a.zst
jq -c '.rows[] | select(.key == "long[]") | .count' .out

# Strip the dump. The proof (the check of the stripped output) must handle the
# length that has wrapped around, whether it reads the output again or checks it
# during the conversion.
stripped() {
    hprof-convert -q --strip-arrays --compress=zstd "$@" | cat
}
stripped a >want
stripped a.zst >got
same_or_say "stripped on the way" want got
hprof-convert -q --strip-arrays a.zst got.zst
same_or_say "stripped, read back" want got.zst

# --salvage keeps an array of 4 GB: in an undamaged dump, and where the root
# after it is cut off. A HEAP DUMP that is not the last record cannot be that
# long, so the array is lost if another record follows it.
arrays() {
    hprof-validate --format=json "$1" |
        jq -c '.files[0] | [.header, .verdict,
            .subrecords.PRIMITIVE_ARRAY_DUMP, .subrecords.ROOT_JNI_GLOBAL]'
}
rm got.zst
code hprof-convert --salvage a got.zst
grep -o ': salvaged: .*' .err
zstd -qdc got.zst | cmp - a
arrays got.zst
truncate -s -3 a
code hprof-convert --force --salvage a got.zst
grep -o 'records kept, .*' .err
arrays got.zst
code hprof-convert --salvage got.zst again.zst
same_or_say "salvaged twice" got.zst again.zst
truncate -s -14 a
{
    printf '\x01\0\0\0\0\0\0\0\x0a\0\0\0\0\0\0\x77\x77ab'
    printf '\x01\0\0\0\0\0\0\0\x0a\0\0\0\0\0\0\x77\x79ab'
} >>a
code hprof-convert --force --salvage a got.zst
arrays got.zst
rm a a.zst got.zst again.zst

# The record seems to end where a long array ends, but there is more. This is in
# the second of two dumps.
u4() {
    # shellcheck disable=SC2059 # bytes
    printf "$(printf '%08x' "$1" | sed 's/../\\x&/g')"
}
# array ID LENGTH: write the header of a byte array of LENGTH elements, without
# the elements
array() {
    {
        printf '\x23\0\0\0\x07' && u4 "$1" && u4 0 && u4 "$2" && printf '\x08'
    } >>b
    truncate -s "+$2" b
}
fixture hotspot7 --id-size=8 >b
heap=$(wc -c <b)
printf '\x0c\0\0\0\0\0\0\0\0' >>b
array 1 20000000
length=$(($(wc -c <b) - heap - 9))
for id in 2 3 4 5; do
    array $id $(((1 << 30) - 18))
done
u4 $length | dd of=b bs=1 seek=$((heap + 5)) conv=notrunc status=none
zstd -q -1 -c b >b.zst
code hprof-diff --format=json b.zst
jq -c '.rows[] | select(.key == "byte[]") | .count' .out
stripped b >want
stripped b.zst >got
same_or_say "stripped, a long array at the end" want got

# only the first dump: the second one is skipped completely
fixture hotspot7 --id-size=8 >want
for file in b b.zst; do
    hprof-convert --dump=1 $file | cat >got
    same_or_say "$file, --dump=1" want got
done
rm b
