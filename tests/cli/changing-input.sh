# A file that shrinks or grows while it is read is refused, or read as it was
# when it was opened.
fixture many-objects >whole
size=$(wc -c <whole)
# stall OUT CHANGE: let the program wait for its reader while CHANGE runs.
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

# A file that keeps growing is read as it was when it was opened, in every pass
# of every program, compressed or not. "a" grows when the program has opened it,
# and again whenever the program has read more.
growing() {
    local before opened=
    cp "$1" a
    before=$(wc -c <a)
    shift
    "$@" >got 2>.err &
    local pid=$!
    while kill -0 $pid 2>/dev/null; do
        [ -n "$opened" ] || opened=$(readlink /proc/$pid/fd/* 2>/dev/null |
            grep -x "$PWD/a")
        [ -z "$opened" ] || printf 'more than there was' >>a
    done
    wait $pid
    local status=$?
    [ "$(wc -c <a)" -gt "$before" ] && looked
    echo "$status $*"
    cat .err
}
zstd -qc whole >packed
for options in --to=ndjson '--to=ndjson --edges' '--to=ndjson --graph' \
    '--to=ndjson --strings' --to=tables; do
    # shellcheck disable=SC2086
    hprof-convert $options - <whole >want 2>.err
    for file in whole packed; do
        # shellcheck disable=SC2086
        growing $file hprof-convert $options a -
        case $options in
        --to=tables) ;; # they have the path
        *) cmp want got ;;
        esac
    done
done
growing whole hprof-diff --retained --format=csv a
growing whole hprof-validate --level=graph -q a
growing whole hprof-convert --strip-fields a -
growing whole hprof-convert --salvage a -
looked_at 10+
rm packed want got
