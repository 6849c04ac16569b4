# On a full file system the exit status is 2, and no file is left.
# needs: text
need unshare
unshare -rm true 2>/dev/null || skip "no mounts of one's own"
fixture many-objects >a
mkdir small
cat >script <<'S'
mount -t tmpfs -o size=64k none small || exit 77
for o in '' --compress=gzip:1 --to=ndjson --to=text --verify; do
    hprof-convert $o a small/out >.out 2>.err
    echo "$? hprof-convert $o: $(sed 's/.*: //' .err)"
    ls -A small
    rm -f small/*
done
# the same for temporary files between two steps
TMPDIR=small hprof-convert --salvage a out 2>.err
[ -e out ] && echo "out is there"
echo "salvage: $(sed 's/.*: //' .err)"
ls -A small
cat a | TMPDIR=small hprof-convert --strip-fields - out 2>.err
[ -e out ] && echo "out is there"
echo "spool: $(sed 's/.*: //' .err)"
ls -A small
S
# shellcheck disable=SC2015
unshare -rm bash script || skip "no tmpfs"
