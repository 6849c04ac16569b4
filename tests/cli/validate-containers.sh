# Rules about the container of a dump, and one about arrays of 4 GB.
need gzip zstd
fixture hotspot >a
found() { # found RULE FILE: severity of the rule, its offset in the dump
    hprof-validate --format=json "$2" 2>.err | jq -c --arg rule "$1" '
        .files[0] as $f | [$rule, $f.verdict, ($f.rules[] |
        select(.rule == $rule) | .severity, .count)]'
}
zstd -q -c --check a >a.zst
size=$(stat -c %s a.zst)
{ head -c $((size - 4)) a.zst; printf '\1\2\3\4'; } >crc.zst
head -c $((size - 9)) a.zst >cut.zst
{ cat a.zst; printf 'garbage, and more'; } >trailing.zst
found zstd-frame crc.zst
found zstd-truncated cut.zst
found zstd-trailing trailing.zst
found zstd-trailing a.zst
gzip -c a >1
gzip -c 1 >2
gzip -c 2 >3
gzip -c 3 >4
found container-depth 3
found container-depth 4
# HotSpot's comment announces blocks of 100 bytes
{ printf '\37\213\10\20\0\0\0\0\0\3HPROF BLOCKSIZE=100\0'
  gzip -nc a | tail -c +11; } >small.gz
{ printf '\37\213\10\20\0\0\0\0\0\3HPROF BLOCKSIZE=1000000\0'
  gzip -nc a | tail -c +11; } >large.gz
found gzip-blocksize small.gz
found gzip-blocksize large.gz
# a long[] that fills a record: 9 bytes of header, then 14, and 8 for each
# element
array() { # array COUNT LENGTH: as hexadecimal
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\1\213\317\345\150\0'
    printf '\x1c\0\0\0\0%b' "$2"
    printf '\x23\0\0\0\x10\0\0\0\1%b\x0b' "$1"
}
array '\x1f\xff\xff\xfe' '\xff\xff\xff\xfe' >big
truncate -s $((31 + 9 + 0xfffffffe)) big || skip "no sparse files"
printf '\x2c\0\0\0\0\0\0\0\0' >>big
found array-truncated big
array '\x1f\xff\xff\xfa' '\xff\xff\xff\xde' >big
truncate -s $((31 + 9 + 0xffffffde)) big
printf '\x2c\0\0\0\0\0\0\0\0' >>big
found array-truncated big
rm big
# If the container lost bytes, nothing can be concluded about the writer: the
# dump is not called empty or cut at a round size.
zstd -q --check -c a >sum.zst
head -c -1 sum.zst >short.zst
gzip -c a | head -c 15 >head.gz
gzip -c a | head -c 900 >half.gz
for f in short.zst head.gz half.gz; do
    hprof-validate $f | grep -c 'it is empty\|file size is'
    hprof-validate $f | grep -o 'nothing more could be decompressed'
done
gzip -c /dev/null >empty.gz
hprof-validate empty.gz | grep -c 'it is empty'
head -c 900 a >half
hprof-validate half | grep -c 'size is not a multiple'
exit 0
