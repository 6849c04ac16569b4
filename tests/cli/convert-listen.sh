# --listen saves what an agent sends, in any fragmentation, and sends commands
# as the agent reads them. It survives agents that disappear, are silent, or
# never stop. tests/fake_agent.c imitates the agent.
# needs: text
fixture agent >a
hprof-convert --to=text a t 2>.err
hprof-convert t t.hprof 2>.err
size=$(wc -c <a)

# has_port: whether the program of listen() has printed its port, or has ended
has_port() {
    port=$(sed -nE 's/.*listening on 127\.0\.0\.1:([0-9]+) .*/\1/p' told)
    [ -n "$port" ] || ! kill -0 $pid 2>.err
}
# listen OPTION... -- AGENT_OPTION...: run both and print their messages,
# without the port. With signal=NAME, send this signal to the program when the
# agent has made the file "ready". With paused=yes, the time limits of the program
# begin after the agent has sent everything.
listen() {
    local options=() port pid
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    rm -f ready
    : >told
    hprof-convert --listen=127.0.0.1:0 "${options[@]}" >out 2>told &
    pid=$!
    eventually has_port
    if [ -n "${signal:-}" ]; then
        (await ready && kill -"$signal" $pid) &
        set -- "$@" --ready=ready
    fi
    [ -z "${paused:-}" ] || set -- "$@" --pause=$pid
    if [ -n "$port" ]; then
        fake-agent "$port" "$@" || kill -KILL $pid
    fi
    wait $pid
    echo "exit $?"
    sed -E '/listening on/d; s/127\.0\.0\.1:[0-9]+/ADDRESS/g' told
}

for chunk in 1 7 64 100000; do
    rm -f o
    listen o -- a --chunk=$chunk
    same a o
done
rm -f o
listen o -- t --chunk=13
same t.hprof o
rm -f o
listen --raw o -- t
same t o
rm -f o.gz
listen o.gz -- a
gzip -dc o.gz | cmp - a
rm -f o
listen --to=text o -- a
same t o

echo "every command"
rm -f o
listen --force --send=gc,dump-heap,alloc-sites:3:0.01,heap-summary,dump-traces,cpu-samples:0.5,traces-on,traces-off,samples-on,samples-off:0x50000174:be,samples-on:0x50000174:le,clear-samples,clear-sites,depth:16,eof \
    o -- a --commands=15
same a o
rm -f o
listen --force --send=exit o -- a --commands=1
rm -f o
echo "again and again"
listen --send=alloc-sites --send-every=1 o -- a --commands=3
same a o

rm -f o
signal=USR1 listen --send=gc o -- a --commands=2
same a o
rm -f o
echo "interrupted"
signal=INT listen o -- a --stay
same a o

echo "vanished"
rm -f o
listen o -- a --cut=$((size - 3))
code hprof-validate o
[ "$(wc -c <o)" -lt "$size" ] || echo "not cut"
cmp -n "$(wc -c <o)" a o
rm -f o
listen o -- a --cut=$((size - 3)) --reset
rm -f o
listen o -- t --cut=2000
hprof-validate --strict o >.out || cat .out
rm -f o
listen o -- a --cut=20
[ -e o ] && echo "written"
echo "silent"
rm -f o
paused=yes listen --idle=1 o -- a --stay=1000
same a o
echo "long enough"
rm -f o
paused=yes listen --listen-time=1 o -- a --stay=1000
same a o
echo "without end"
rm -f o
listen --max-size=1MB o -- a --forever
[ "$(wc -c <o)" -le 1048576 ] || echo "too large: $(wc -c <o)"

echo "slow"
rm -f o
listen --raw --listen-time=1 --idle=1 o -- a --chunk=1 --delay=5 |
    sed '/: stopped; dropped the [0-9]* bytes/d' # which may be none
cmp -n "$(wc -c <o)" a o

# A heap dump without an end record gets one, but not with --raw.
echo "a heap dump cut"
fixture hotspot >a
cut=$(($(wc -c <a) - 9))
rm -f o
listen o -- a --cut=$cut
same a o
rm -f o
listen --raw o -- a --cut=$cut
head -c $cut a | cmp - o

# A long dump is written while it is received. The disk needs room only for what
# was not written yet, at least one record. record BYTES: a STRING with so many
# bytes after its id
record() {
    printf '\1\0\0\0\0'
    # shellcheck disable=SC2059 # the format is made of a number
    printf "$(printf '%08x' $((4 + $1)) | sed 's/../\\x&/g')\0\0\0\1"
    head -c "$1" /dev/zero
}
echo "while it comes"
{
    printf 'JAVA PROFILE 1.0.1\0\0\0\0\4\0\0\0\0\0\0\0\1'
    for _ in $(seq 8); do
        record 1000000
    done
} >long
mkfifo fifo
timeout 60 sh -c '{ head -c 1000000 && touch seen && cat; } <fifo' >o &
reader=$!
listen --raw -o fifo --force -- long --hold=seen
wait $reader
same long o
# the disk has room for two records, and the reader is slow
timeout 60 sh -c '{ sleep 0.5 && cat; } <fifo' >o &
reader=$!
(
    ulimit -f 2048
    listen --raw -o fifo --force -- long
)
wait $reader
same long o
echo "no room"
record 3000000 >big
{
    printf 'JAVA PROFILE 1.0.1\0\0\0\0\4\0\0\0\0\0\0\0\1'
    cat big
} >long
rm -f o
(
    ulimit -f 1024
    listen o.zst -- long
)
[ -e o.zst ] && echo "written"

echo "refused"
code hprof-convert --listen=127.0.0.1:0 --send=dump-heap x
cat .err
code hprof-convert --listen=127.0.0.1:0 --send=what x
code hprof-convert --listen=127.0.0.1:0 --send=depth x
code hprof-convert --listen=127.0.0.1:0 --send=eof,gc x
code hprof-convert --listen=127.0.0.1:0 --send=eof --send-every=2 x
code hprof-convert --send=gc a x
code hprof-convert --listen=nothing x
for address in 65536 99999 127.0.0.1:70000 '[::1]:18446744073709551617'; do
    refused hprof-convert --listen="$address" --listen-time=1 x
done
code hprof-convert --listen=127.0.0.1:0 a x
code hprof-convert --listen=127.0.0.1:0 a
cat .err
code hprof-convert --listen=0 --listen-time=1 x
no_temp
