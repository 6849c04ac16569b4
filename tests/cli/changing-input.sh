# A file that shrinks or grows while it is read: refused, or read as it was.
fixture many-objects >whole
size=$(wc -c <whole)
# stall OUT CHANGE: the program waits for its reader while CHANGE runs.
stall() {
    cp whole a
    rm -f fifo
    mkfifo fifo
    hprof-convert a >fifo 2>.err &
    local pid=$!
    exec 7<fifo
    head -c 4096 <&7 >part
    sleep 0.3
    "${@:2}"
    cat <&7 >rest
    exec 7<&-
    wait $pid
    echo "$? $1"
    cat part rest >"$1"
}
stall shrunk truncate -s 100000 a
sed 's/it had.*//' .err
grow() { cat whole >>a; }
stall grown grow
head -c "$size" grown | cmp - whole
[ "$(wc -c <grown)" = "$size" ] || echo "grown: more than there was"
