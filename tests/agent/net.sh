# net=HOST:PORT: the agent sends its file in pieces, and receives commands.

# peer FILE COMMAND...: start the other end of the connection in the background,
# with its port in $port. The commands may end the VM, so they must come after the
# program has allocated its objects: after=PATH waits for a file that it creates.
peer()
{
    mkfifo port
    timeout -k 5 120 "$JAVA" -Xmx32m -cp "$CLASSES" Peer "$@" > port &
    peer=$!
    read -r port < port
    rm port
}

# records FILE NAME: print how many records of this kind the file has
records()
{
    hprof-validate --format=json "$1" |
        jq --arg name "$2" '.files[0].records[$name] // 0'
}

# command TAG BODY: print a command in hexadecimal digits
command()
{
    printf '%s00000001%08x%s' "$1" $((${#2} / 2)) "$2"
}

for format in a b; do
    peer $format.hprof after=$format.ready "$(command 03 000000000000)" "$(command 04 '')" \
        "$(command 08 00070008)" "$(command 07 000000000000)" \
        "$(command 02 '')" "$(command 77 1234)" "$(command 05 '')"
    expect 0 run_java \
        "heap=sites,sample=0,cpu=samples,format=$format,net=localhost:$port" \
        Hostile wait 60000 $format.ready
    wait "$peer"
    valid $format.hprof
    [ "$(records $format.hprof ALLOC_SITES)" = 2 ] ||
        fail "$format: sites: $(hprof-validate --format=json $format.hprof | jq -c ".files[0].records")"
    [ "$(records $format.hprof CPU_SAMPLES)" = 2 ] || fail "$format: samples"
    has_site $format.hprof allocated 'byte[]' Hostile.allocate 1000 80000
done
[ "$(records b.hprof HEAP_SUMMARY)" = 1 ]

# commands set the depth of stack traces to 8, 513 and 0; only 8 is possible
peer c.txt "$(command 08 00070008)" "$(command 08 00070201)" \
    "$(command 08 00070000)" "$(command 03 000000000000)" "$(command 05 '')"
expect 0 run_java "sample=0,format=a,doe=n,net=localhost:$port" \
    Hostile wait 20000
wait "$peer"
valid c.txt
grep -q '^hprof-agent: .* depth=8 ' c.txt || fail "$(head -n 20 c.txt)"

# a command requests a heap dump with stack traces
peer d.hprof "$(command 02 '')" "$(command 05 '')"
expect 0 run_java "heap=dump,sample=0,doe=n,net=localhost:$port" Hostile wait 20000
wait "$peer"
valid d.hprof
hprof-convert --join-traces d.hprof j.hprof
valid j.hprof

# the command EOF ends the commands, but not the program
peer e.hprof ff
run_java "sample=0,net=localhost:$port" Hostile wait-and-work > running &
vm=$!
eventually [ -e e.hprof.sent ]
touch go
expect 0 wait "$vm"
wait "$peer"
valid e.hprof

# a peer that resets the connection, and a peer that reads nothing
peer v.hprof vanish
expect 0 run_java "sample=0,net=localhost:$port" Hostile wait 1500
wait "$peer"
peer h.hprof hold
expect 3 run_java "sample=0,depth=64,net=localhost:$port" Known 3
kill "$peer"
wait "$peer" || true

# if nobody listens, the VM does not start, and the message gives the reason
expect 1 run_java net=localhost:1 Known 2> stderr
grep -q 'hprof-agent: net=localhost:1: ' stderr

# the same if the kernel has no sockets
if [ -x "$BUILD/tests/without" ]; then
    expect 1 "$BUILD/tests/without" sockets "$JAVA" -Xmx64m \
        -agentpath:"$AGENT=net=127.0.0.1:1" -cp "$CLASSES" Known 2> stderr
    grep -q 'hprof-agent: net=127.0.0.1:1: Function not implemented$' stderr ||
        fail "$(cat stderr)"
fi
