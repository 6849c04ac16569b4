# The output path is not a regular file, but a device, a FIFO, a folder, or a
# link to one of these. The agent does not change it, and prints a message at
# the start, not only hours later at the end. The program continues.
mkfifo fifo
mkdir folder
ln -s fifo to-fifo
ln -s folder to-folder
ln -s "$PWD/loop" loop
places=(fifo to-fifo folder folder/ to-folder . / loop)
if mknod node c 1 3 2> mknod.err; then
    ln -s node to-node
    places+=(node to-node)
fi
# a link in /proc, here to a regular file
places+=(/proc/self/fd/1)

# nodes: list everything in this folder, with type, inode number and link target
nodes()
{
    find . -printf '%p %y %i %l\n' | sort
}

touch before after stdout stderr
nodes > before
for place in "${places[@]}"; do
    for options in sample=0 sample=0,force=n heap=all; do
        expect 3 run_java "$options,file=$place" Known 3 > stdout 2> stderr
        [ "$(grep -c "^hprof-agent: $place: .*; until this is fixed, no report" stderr)" = 1 ] ||
            fail "$options,file=$place, at the start: $(cat stderr)"
        [ "$(grep -c "^hprof-agent: no report: $place: " stderr)" = 1 ] ||
            fail "$options,file=$place, at the end: $(cat stderr)"
        [ "$(wc -l < stderr)" = 2 ] || fail "$place: $(cat stderr)"
        nodes > after
        diff before after || fail "$options,file=$place"
        counted=$((${counted:-0} + 1))
    done
done
[ "$counted" -ge 27 ] || fail "only $counted runs"

# a FIFO that is created after the start of the VM
mkfifo ready
"$JAVA" -Xmx64m -agentpath:"$AGENT=sample=0,file=late.hprof" \
    -cp "$CLASSES" Hostile wait 200000 > ready 2> stderr &
pid=$!
read -r _ < ready
mkfifo late.hprof
kill -TERM "$pid"
expect 143 wait "$pid"
[ -p late.hprof ] || fail "replaced: $(ls -l late.hprof)"
grep -q 'no report: late.hprof: is no regular file$' stderr ||
    fail "$(cat stderr)"

# Another VM, for example a child that inherits the options, writes the same
# file after this VM has started. The agent does not replace that file. The
# second report of this VM replaces only its own first report.
mkfifo running
"$JAVA" -Xmx64m -agentpath:"$AGENT=sample=0,file=shared.hprof" \
    -cp "$CLASSES" Hostile wait 200000 > running 2> stderr &
pid=$!
read -r _ < running
run_java sample=0,file=shared.hprof Known
cp shared.hprof of-child
kill -QUIT "$pid"
eventually [ -e "shared.hprof.$pid" ]
kill -TERM "$pid"
expect 143 wait "$pid"
cmp shared.hprof of-child || fail "the file of the other VM was replaced"
valid "shared.hprof.$pid"
grep -q "another process has written shared.hprof: the report is in shared.hprof.$pid" \
    stderr || fail "$(cat stderr)"
[ "$(find . -name 'shared.hprof*' | wc -l)" = 2 ] || fail "$(ls)"

# A child VM does not replace the report that its parent wrote before it started
# the child. There may be a shell between the two processes.
mkfifo family
"$JAVA" -Xmx64m -agentpath:"$AGENT=sample=0,file=family.hprof" \
    -cp "$CLASSES" Hostile parent sh -c '"$@"; exit' - \
    "$JAVA" -agentpath:"$AGENT=sample=0,file=family.hprof" \
    -cp "$CLASSES" Known > family 2> stderr &
pid=$!
read -r _ < family
kill -QUIT "$pid"
eventually [ -e family.hprof ]
cp family.hprof of-parent
sleep 0.1
touch go
expect 0 wait "$pid"
child=$(find . -name 'family.hprof.*')
valid family.hprof "$child"
has_site "$child" live 'Known$Order' Known.keep 1000 32000
has_site family.hprof live 'Known$Order' Known.keep 0 0
! cmp -s family.hprof of-parent || fail "no report of the parent at exit"
grep -q "another process has written family.hprof: the report is in $child\$" \
    <(sed 's,is in ,is in ./,' stderr) || fail "$(cat stderr)"

# a report replaces a link to a file, and also a link whose target does not
# exist
touch file
ln -s file to-file
ln -s nothing to-nothing
for place in to-file to-nothing; do
    run_java "sample=0,file=$place" Known
    valid "$place"
    [ ! -L "$place" ] || fail "$place: written through a link"
done
[ ! -s file ] && [ ! -e nothing ] || fail "written through a link"
