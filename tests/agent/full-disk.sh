# If there is no room for the file, the program keeps its exit status, and no
# part of the file is left.
for options in sample=0 sample=0,format=a heap=all,sample=0; do
    (
        ulimit -f 16
        expect 3 run_java "$options,file=f.hprof" -XX:-UsePerfData Known 3
    ) > log 2>&1 || fail "$options: $(cat log)"
    grep -q 'hprof-agent: no report: ' log || fail "$options: $(cat log)"
    [ ! -e f.hprof ] || fail "$options: a file"
    absent_or_valid f.hprof
done

# an existing file remains unchanged
run_java sample=0,file=f.hprof Known
cp f.hprof g.hprof
(
    ulimit -f 16
    run_java sample=0,depth=8,file=f.hprof -XX:-UsePerfData Known
) 2>&1 | grep 'no report' >/dev/null
cmp f.hprof g.hprof
absent_or_valid f.hprof

# For the first report there is room for the sites, but not for the VM's heap
# dump. For the second report there is room for both. Its file also contains the
# MONITOR DUMP of the first report.
mkfifo ready
(
    ulimit -S -f 400
    exec "$JAVA" -Xmx64m -XX:+UseSerialGC -XX:-UsePerfData \
        "-agentpath:$AGENT=heap=all,sample=64k,monitor=y,file=r.hprof" \
        -cp "$CLASSES" Hostile wait 200000
) > ready 2> stderr &
pid=$!
read -r _ < ready
wrote() { [ "$(grep -c 'wrote r.hprof' stderr)" -ge "$1" ]; }
for wanted in 1 2; do
    kill -QUIT "$pid"
    eventually wrote $wanted
    valid r.hprof
    hprof-convert --force --to=text r.hprof r.txt
    [ "$(grep -c '^MONITOR DUMP BEGIN$' r.txt)" = $wanted ] ||
        fail "report $wanted: $(cat stderr; grep -a MONITOR r.txt)"
    prlimit --pid "$pid" --fsize=unlimited
done
grep -q 'the VM wrote no heap dump' stderr || fail "$(cat stderr)"
[ "$(hprof-validate --format=json r.hprof |
    jq '.files[0].records.HEAP_DUMP_END')" = 1 ]
kill -TERM "$pid"
expect 143 wait "$pid"

# The disk needs room for one copy of the heap dump, not for a file of the VM
# and another file of the agent.
if unshare -m true 2> unshare.err; then
    run_java heap=all,sample=64k,file=s.hprof Hostile allocate
    room=$(($(stat -c %s s.hprof) * 3 / 2048))k
    mkdir small
    # shellcheck disable=SC2016
    unshare -m bash -c 'mount -t tmpfs -o "size=$0" none small &&
        "$JAVA" -Xmx64m -XX:TieredStopAtLevel=1 -XX:-UsePerfData \
            "-agentpath:$AGENT=heap=all,sample=64k,file=small/s.hprof" \
            -cp "$CLASSES" Hostile allocate &&
        cp small/s.hprof small.hprof' "$room"
    valid small.hprof
fi
