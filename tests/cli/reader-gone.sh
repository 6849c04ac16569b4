# A reader that closes the pipe ends a program as it ends cat: by SIGPIPE, and
# nothing is said. Where SIGPIPE was ignored from the beginning it is an error.
need env mkfifo
fixture leak-before >a
fixture leak-after >b
hprof-convert -q --to=pack a a.pack
# 3: the writing end of a pipe whose reader is gone
mkfifo gone
exec 4<>gone 3>gone
exec 4<&-
# gone CMD...: its exit status and what it says
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
for format in text json sarif junit github rows tsv; do
    gone hprof-validate --format=$format --min-severity=info a b
done
for format in table json csv tsv ndjson rows html folded; do
    gone hprof-diff --format=$format a b
    gone hprof-diff --sandbox=off --format=$format a b
done
for to in hprof text ndjson pack; do
    gone hprof-convert --to=$to a
    gone hprof-convert --sandbox=off --to=$to a
done
for how in --compress=zstd --compress=gzip --raw --strip-arrays --salvage; do
    gone hprof-convert $how a
done
gone hprof-convert --threads=4 --to=hprof a.pack
# ignored by whoever started it: a message and an exit code, as of cat
(
    trap '' PIPE
    for c in 'validate a' 'diff a b' 'convert a'; do
        hprof-$c >&3 2>.err </dev/null
        echo "$? $(cat .err)"
    done
)
# a message that nobody reads stops nothing
env --default-signal=PIPE hprof-convert --strip-arrays a whole 2>&3
echo "$? $(hprof-validate -q whole | tail -n 1 | cut -d: -f1,2)"
# -o to a FIFO whose reader goes while the input is still to come
mkfifo in out
fifo() {
    env --default-signal=PIPE "$@" -o out - <in 2>.err &
    exec 5>in 4<>out
    head -c 2000 a >&5
    for _ in $(seq 500); do
        ls -l /proc/$!/fd 2>/dev/null | grep -q '/out$' && break
        sleep 0.02
    done
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
