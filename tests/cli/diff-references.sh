# --by=reference: soft, weak, phantom and finalizer references, and what only they keep
# alive. The sums agree with the reachability that --retained computes in other ways.
need jq
# the objects that the rows of one kind of reference keep alive
kept() {
    jq -c --arg kind "$1" '[.rows[] | select(.key | startswith($kind + " "))] |
        [(map(.retained_count[0]) | add // 0), (map(.retained_bytes[0]) | add // 0)]' rows
}
pair() {
    jq -c "$1 // {objects: 0, bytes: 0} | [.objects, .bytes]" "$2"
}
check() {
    hprof-diff --by=reference --dump=1 --format=json dump >rows 2>.err || problem "$1: fails"
    hprof-diff --retained --dump=1 --format=json dump >soft 2>.err
    hprof-diff --retained --dump=1 --reachability=strong --format=json dump >strong 2>.err
    # strong and soft: what the JVM keeps until it is short of memory
    pair .dumps[0].reachable soft >with
    pair .dumps[0].reachable strong >without
    kept SoftReference | jq -c --slurpfile s without '[.[0] + $s[0][0], .[1] + $s[0][1]]' >got
    same_or_say "$1: soft" with got
    pair .dumps[0].finalizer_queue soft >with
    kept Finalizer >got
    same_or_say "$1: finalizer" with got
    pair .dumps[0].weak soft >with
    { kept Finalizer; kept WeakReference; kept PhantomReference; } |
        jq -sc '[(map(.[0]) | add), (map(.[1]) | add)]' >got
    same_or_say "$1: weak" with got
    jq -c '[.rows[] | .retained_count[0]] | add // 0' rows >got
    jq -c '.total.retained_count[0]' rows >want
    same_or_say "$1: total" want got
    looked
}
{
    worlds
    for id in soft-references finalizer-backlog weak-values stale-thread-locals; do
        echo "finding-$id 4"
        echo "finding-$id 8"
    done
} | while read -r name size; do
    fixture "$name" --id-size="$size" >dump
    check "$name $size"
done
looked_at 20+
fixture finding-soft-references >a
fixture finding-finalizer-backlog >b
show() {
    hprof-diff --by=reference --all --format=csv "$@"
}
show a
show b
show a b
# the threads, a pipe and a saved result change nothing
for way in --threads=1 --threads=3 --memory=40MB; do
    show $way a b >got
    show a b >want
    same_or_say "$way" want got
done
hprof-diff --by=reference --format=json a >saved.json
show saved.json b >got
show a b >want
same_or_say saved want got
for gate in 'SoftReference* retained>1' 'total retained>1' 'Finalizer* queued>0' \
    'SoftReference* retained>1GB'; do
    hprof-diff --by=reference --fail-if="$gate" a >.out 2>.err
    echo "$gate: exit status $?"
done
refused hprof-diff --by=reference --reachability=strong a
refused hprof-diff --by=reference --columns=native a
refused hprof-diff --columns=queued a
