# A damaged container: the bytes before the damage are checked, and the file is
# invalid.
need gzip zstd
fixture hotspot >a
gzip -c a >a.gz
size=$(stat -c %s a.gz)
head -c $((size - 20)) a.gz >cut.gz
{ head -c $((size - 8)) a.gz; printf '\1\2\3\4'; tail -c 4 a.gz; } >crc.gz
{ cat a.gz; printf 'garbage'; } >trailing.gz
{ cat a.gz; head -c 100 /dev/zero; } >padded.gz
for f in cut crc trailing padded; do
    code hprof-validate --format=json $f.gz
    jq -c '.files[] | [.verdict, ([.rules[] | select(.rule |
        startswith("gzip")) | [.rule, .severity]])]' .out
done
zstd -q -c a >a.zst
head -c $(($(stat -c %s a.zst) - 30)) a.zst >cut.zst
code hprof-validate cut.zst
