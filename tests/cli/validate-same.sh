# A file, a pipe, a FIFO, gzip, zstd, several members and any number of threads
# give one result.
need zstd gzip
{ worlds; echo many-objects 8; echo two-dumps 4; echo many-segments 4
  echo classes-last 8; echo dangling-field 8; echo cut-array 4
  echo unpatched 8; echo subtag-unknown 4; echo unpatched-instance 8
  echo unpatched-array 8; echo unpatched-objects 8; echo unpatched-tag 8
  echo cut-objects 8; } |
while read -r name size; do
    fixture "$name" --id-size="$size" >a
    results=results/$name-$size
    mkdir -p $results
    hprof-validate --format=json --threads=1 a >$results/want 2>.err
    want=$?
    check() { # check WHAT CMD...
        local what=$1 status
        shift
        "$@" >"$results/$what" 2>.err
        status=$?
        looked
        [ $status -eq $want ] || echo "$results, $what: exit $status, not $want"
    }
    half=$(($(stat -c %s a) / 2))
    gzip -c a >a.gz
    zstd -q -c a >a.zst
    { head -c "$half" a | gzip -c; tail -c +$((half + 1)) a | gzip -c; } >m.gz
    { head -c "$half" a | zstd -q -c
      tail -c +$((half + 1)) a | zstd -q -c; } >m.zst
    gzip -c a.zst >layers
    v() { hprof-validate --format=json "$@"; }
    for threads in 2 4 7; do
        check "threads=$threads" v --threads=$threads a
    done
    for f in a.gz a.zst m.gz m.zst layers; do
        check "$f" v $f
        check "$f, 1 thread" v --threads=1 $f
    done
    piped() { cat a | hprof-validate --format=json -; }
    redirected() { hprof-validate --format=json - <a.gz; }
    check pipe piped
    check redirected redirected
    rm -f fifo
    mkfifo fifo
    cat a >fifo &
    check FIFO v fifo
    wait
done
same_results results
looked_at 544
