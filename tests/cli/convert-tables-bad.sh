# Tables of a damaged dump, on a full disk, or after a signal: all files are
# complete, or no file exists.
fixture hotspot >a
fixture cut-array >cut
code hprof-convert --to=tables cut t
cat .err
code hprof-convert --to=tables cut
[ -s .out ] && echo "an archive of a damaged dump"
code hprof-convert --to=tables --salvage cut t
cat .err
tail -n +2 t/objects.tsv | wc -l
left_over a cut t
# an existing folder is never overwritten
code hprof-convert --to=tables a t
cat .err
code hprof-convert --to=tables --force a t
code hprof-convert --to=tables a a
code hprof-convert --to=tables a nowhere/t
cat .err
code hprof-convert --to=tables nothere u
code hprof-convert --to=tables --compress=zstd a u
cat .err
code hprof-convert --to=tables --strings a u
code hprof-convert --to=tables --sync a u/
rm -r t u
left_over a cut
no_temp
# a signal during reading. The program has made its folder when this function
# returns.
await_folder() {
    # shellcheck disable=SC2317,SC2329
    has_folder() { [ -n "$(find . -name '.hprof-*')" ]; }
    eventually has_folder && looked
}
fixture many-objects >many
for signal in TERM INT USR1 USR2 ALRM VTALRM PROF XCPU IO; do
    rm -f fifo
    mkfifo fifo
    { head -c 3000000 many; exec sleep 100; } >fifo &
    feeder=$!
    env --default-signal=INT hprof-convert --to=tables fifo out 2>.err &
    converter=$!
    await_folder
    kill -s $signal $converter
    wait $converter
    [ $? -eq $((128 + $(kill -l $signal))) ] || echo "exit after $signal"
    kill $feeder 2>/dev/null
    wait $feeder 2>/dev/null
    left_over a cut many fifo
    no_temp
done
looked_at 9
# kill -9 leaves an empty folder, if the file system has unnamed files
rm -f fifo
mkfifo fifo
{ cat many; exec sleep 100; } >fifo &
feeder=$!
hprof-convert --to=tables fifo out 2>.err &
converter=$!
await_folder
kill -s KILL $converter
wait $converter 2>/dev/null
kill $feeder 2>/dev/null
wait $feeder 2>/dev/null
looked_at 1
left_over a cut many fifo .hprof-*
if python3 -c 'import os; os.open(".", os.O_TMPFILE | os.O_RDWR)' 2>.err; then
    ls -A .hprof-*
fi
rm -rf .hprof-* fifo
# more dumps than an input of this size can explain: refused with any --memory
tiny_dumps 14 >dump
{ printf 'JAVA PROFILE 1.0.1\0\0\0\0\4\0\0\0\0\0\0\0\0' && cat dump; } >crowd
for threads in 1 8; do
    code hprof-convert --threads=$threads --memory=1G --to=tables crowd b
    sed 's/^/    /' .err
    code hprof-convert --threads=$threads --to=ndjson crowd c --force
    sed 's/^/    /' .err
    head -n 1 c
done
code hprof-convert --dump=7 --to=tables crowd b
rm -r crowd dump b c
# the disk becomes full in the middle of a table
need unshare
unshare -rm true 2>/dev/null || skip "no mounts of one's own"
mkdir small
cat >script <<'S'
mount -t tmpfs -o size=300k none small || exit 77
for o in --sandbox=auto --sandbox=off; do
    hprof-convert $o --to=tables many small/out 2>.err
    echo "$? full: $(sed 's/.*: //' .err)"
    ls -A small
done
TMPDIR=small hprof-convert --to=tables many out.tar 2>.err
echo "$? full, archive: $(sed 's/.*: //' .err)"
ls -A small
[ -e out.tar ] && echo "out.tar is there"
true
S
# shellcheck disable=SC2015
unshare -rm bash script || skip "no tmpfs"
