# SIGTERM ends the VM as it does without an agent. SIGQUIT requests a report.

# start OPTIONS: start a program that waits, with its process id in $pid
start()
{
    mkfifo ready
    "$JAVA" -Xmx64m -XX:+UseSerialGC "-agentpath:$AGENT=$1" -cp "$CLASSES" \
        Hostile wait 200000 > ready 2> stderr &
    pid=$!
    read -r _ < ready
    rm ready
}

start sample=0,file=t.hprof
kill -TERM "$pid"
expect 143 wait "$pid"
valid t.hprof

start sample=0,file=q.hprof,doe=n
kill -QUIT "$pid"
eventually [ -s q.hprof ]
valid q.hprof
cp q.hprof first.hprof
rm q.hprof
kill -QUIT "$pid"
eventually [ -s q.hprof ]
valid q.hprof
kill -TERM "$pid"
expect 143 wait "$pid"
# The second file has both reports. Because of doe=n there is no report at exit.
one=$(hprof-validate --format=json first.hprof |
    jq '.files[0].records.ALLOC_SITES')
two=$(hprof-validate --format=json q.hprof |
    jq '.files[0].records.ALLOC_SITES')
[ "$one $two" = "1 2" ] || fail "reports: $one, then $two"

# Each file has only the heap dump of its own report. The second file also has
# the allocation sites of the first report.
got=
start heap=all,sample=0,file=h.hprof,force=n,doe=n
for file in h.hprof h.hprof.1; do
    kill -QUIT "$pid"
    eventually grep -q "wrote $file " stderr
    valid "$file"
    got="$got$(hprof-validate --format=json "$file" | jq -c '
        .files[0].records | [.ALLOC_SITES, .HEAP_DUMP_END]')"
done
kill -TERM "$pid"
expect 143 wait "$pid"
[ "$got" = "[1,1][2,1]" ] || fail "reports and dumps: $got"

# after SIGKILL the file is complete or does not exist
start sample=0,file=k.hprof
kill -KILL "$pid"
expect 137 wait "$pid"
absent_or_valid k.hprof
