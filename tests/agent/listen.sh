# hprof-convert --listen receives the data of the agent. It converts the data
# while it arrives. The agent answers commands. The data of a killed VM is kept.

has_port()
{
    port=$(sed -nE 's/.*listening on 127\.0\.0\.1:([0-9]+) .*/\1/p' said)
    [ -n "$port" ]
}

# listen OPTION...: start hprof-convert in the background, with its port in
# $port and its process id in $peer
listen()
{
    : > said # remove the port of the previous call, because the job starts late
    hprof-convert --listen=0 "$@" 2> said &
    peer=$!
    eventually has_port
}

for format in a b; do
    listen --send=alloc-sites,dump-traces,cpu-samples,heap-summary \
        $format.hprof.zst
    expect 0 run_java \
        "heap=sites,sample=0,cpu=samples,format=$format,net=localhost:$port" \
        Hostile wait 700
    expect 0 wait "$peer"
    valid $format.hprof.zst
    [ "$(hprof-validate --format=json $format.hprof.zst |
        jq '.files[0].records.ALLOC_SITES')" = 2 ] ||
        fail "$format: not answered: $(cat said)"
    has_site $format.hprof.zst allocated 'byte[]' Hostile.allocate 1000 80000
done

# a command requests the VM's heap dump, which is joined with its stack traces
# during the conversion, and written to a pack
listen --force --send=dump-heap,exit --join-traces --to=pack d.pack
expect 0 run_java "heap=dump,sample=0,doe=n,net=localhost:$port" \
    Hostile wait 20000
expect 0 wait "$peer"
valid d.pack

# the VM is killed: the data that has arrived makes a valid dump
listen --send=alloc-sites --send-every=1 k.hprof
"$JAVA" -Xmx64m "-agentpath:$AGENT=sample=0,net=localhost:$port" \
    -cp "$CLASSES" Hostile wait 20000 > out &
pid=$!
eventually [ -s out ]
sleep 1.5
kill -KILL "$pid"
expect 137 wait "$pid"
wait "$peer" || [ $? -eq 1 ] || fail "$(cat said)"
valid k.hprof
