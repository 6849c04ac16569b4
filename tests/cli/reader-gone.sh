# If the reader closes the pipe, the program ends by SIGPIPE without a message,
# as cat does. If SIGPIPE is ignored from the start, it is an error.
# needs: text
need env mkfifo
fixture leak-before >a
fixture leak-after >b
hprof-convert -q --to=pack a a.pack
# descriptor 3: the write end of a pipe without a reader
mkfifo gone
exec 4<>gone 3>gone
exec 4<&-
# gone CMD...: print its exit status and its message
gone() {
    env --default-signal=PIPE "$@" >&3 2>.err </dev/null
    echo "$? $(cat .err)| $*"
}
gone cat a
for p in validate diff convert; do
    gone hprof-$p --help
    gone hprof-$p --list-options
done
gone hprof-validate --rules
gone hprof-validate --explain=magic
for format in text json sarif junit github html rows tsv; do
    gone hprof-validate --format=$format --min-severity=info a b
done
for format in table json csv tsv ndjson rows html folded pprof speedscope; do
    gone hprof-diff --format=$format a b
    gone hprof-diff --sandbox=off --format=$format a b
done
for to in hprof text ndjson pack tables; do
    gone hprof-convert --to=$to a
    gone hprof-convert --sandbox=off --to=$to a
done
for how in --compress=zstd --compress=gzip --raw --strip-arrays --salvage; do
    gone hprof-convert $how a
done
gone hprof-convert --threads=4 --to=hprof a.pack
# if the parent ignores SIGPIPE: a message and an exit status, as with cat
(
    trap '' PIPE
    for c in 'validate a' 'diff a b' 'convert a'; do
        hprof-$c >&3 2>.err </dev/null
        echo "$? $(cat .err)"
    done
)
# a message that nobody reads does not stop the program
env --default-signal=PIPE hprof-convert --strip-arrays a whole 2>&3
echo "$? $(hprof-validate -q whole | tail -n 1 | cut -d: -f1,2)"
# -o to a FIFO whose reader disappears before all input has arrived
mkfifo in out
# whether the process has opened "out" for writing; the sandbox opens its path
# before
writes() {
    ls -l "/proc/$1/fd" 2>/dev/null | grep -q '^l.w.*/out$'
}
fifo() {
    env --default-signal=PIPE "$@" -o out - <in 2>.err &
    exec 5>in 4<>out
    head -c 2000 a >&5
    eventually writes $!
    exec 4<&-
    tail -c +2001 a >&5
    exec 5>&-
    wait $!
    echo "$? $(cat .err)| $*"
}
fifo hprof-validate
fifo hprof-diff
fifo hprof-convert --to=text
fifo hprof-convert --compress=zstd
rm -f out
rm -f in gone whole
left_over a b a.pack
no_temp
