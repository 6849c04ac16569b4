# A file that shrinks or grows while it is read is refused, or read as it was
# when it was opened.
fixture many-objects >whole
size=$(wc -c <whole)
# stall OUT CHANGE: run CHANGE when the program has written 4 KB. The program has
# not read the whole file by then, because a pipe holds at most 1 MB.
stall() {
    cp whole a
    rm -f fifo
    mkfifo fifo
    hprof-convert a >fifo 2>.err &
    local pid=$!
    exec 7<fifo
    head -c 4096 <&7 >part
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
# and again whenever the program has read more. A program starts its threads
# after it has asked for the size of the file. (Its descriptors do not show this:
# the sandbox opens the path once before the file is opened.)
grow_while() {
    local threads
    while kill -0 "$1" 2>/dev/null; do
        threads=("/proc/$1/task"/*)
        [ "${#threads[@]}" -lt 2 ] || printf 'more than there was' >>a
    done
}
# growing FILE CMD...: run CMD on a copy of FILE that grows. Run CMD again if it
# ended before this script saw its threads, because then the copy has not grown.
growing() {
    local file=$1 before status pid
    before=$(wc -c <"$file")
    shift
    for _ in {1..20}; do
        cp "$file" a
        "$@" --threads=2 >got 2>.err &
        pid=$!
        grow_while $pid
        wait $pid
        status=$?
        [ "$(wc -c <a)" -eq "$before" ] || break
    done
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
looked_at 14
rm packed want got
