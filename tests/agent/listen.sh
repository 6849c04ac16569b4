# hprof-convert --listen at the other end: what the agent sends is converted
# while it comes, commands are answered, and what a killed VM sent is kept.

# listen OPTION...: in the background; its port in $port, its process in $peer
listen()
{
    : > said # the job may begin later, and the last one's port is in it
    hprof-convert --listen=0 "$@" 2> said &
    peer=$!
    for _ in $(seq 200); do
        port=$(sed -nE 's/.*listening on 127\.0\.0\.1:([0-9]+) .*/\1/p' said)
        [ -z "$port" ] || return 0
        sleep 0.05
    done
    fail "nobody listens: $(cat said)"
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

# the VM's dump by command, joined with its traces on the way, into a pack
listen --force --send=dump-heap,exit --join-traces --to=pack d.pack
expect 0 run_java "heap=dump,sample=0,doe=n,net=localhost:$port" \
    Hostile wait 20000
expect 0 wait "$peer"
valid d.pack

# the VM is killed: what came is whole
listen --send=alloc-sites --send-every=1 k.hprof
"$JAVA" -Xmx64m "-agentpath:$AGENT=sample=0,net=localhost:$port" \
    -cp "$CLASSES" Hostile wait 20000 > out &
pid=$!
for _ in $(seq 100); do
    [ ! -s out ] || break
    sleep 0.1
done
sleep 1.5
kill -KILL "$pid"
expect 137 wait "$pid"
wait "$peer" || [ $? -eq 1 ] || fail "$(cat said)"
valid k.hprof
