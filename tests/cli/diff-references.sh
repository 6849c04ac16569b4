# --by=reference: soft, weak, phantom and finalizer references, and what only they keep
# alive. The sums agree with the reachability that --retained computes in other ways.
need jq
# One jq process compares the sums of a dump, because it takes long to start.
check() {
    hprof-diff --by=reference --dump=1 --format=json dump >rows 2>.err || problem "$1: fails"
    hprof-diff --retained --dump=1 --format=json dump >soft 2>.err
    hprof-diff --retained --dump=1 --reachability=strong --format=json dump >strong 2>.err
    # What strong and soft references keep alive, the JVM keeps until it is short of
    # memory.
    jq -rn --arg dump "$1" --slurpfile rows rows --slurpfile soft soft \
        --slurpfile strong strong '
        def pair: . // {objects: 0, bytes: 0} | [.objects, .bytes];
        # the objects that the rows of one kind of reference keep alive
        def kept($kind):
            [$rows[0].rows[] | select(.key | startswith($kind + " "))] |
            [(map(.retained_count[0]) | add // 0),
             (map(.retained_bytes[0]) | add // 0)];
        def sum: [(map(.[0]) | add), (map(.[1]) | add)];
        def same($what; $want; $got):
            if $want == $got then empty
            else "\($dump): \($what): \($want), not \($got)" end;
        $soft[0].dumps[0] as $of |
        same("soft"; $of.reachable | pair;
            [($strong[0].dumps[0].reachable | pair), kept("SoftReference")] | sum),
        same("finalizer"; $of.finalizer_queue | pair; kept("Finalizer")),
        same("weak"; $of.weak | pair;
            [kept("Finalizer"), kept("WeakReference"), kept("PhantomReference")] | sum),
        same("total"; $rows[0].total.retained_count[0];
            [$rows[0].rows[].retained_count[0]] | add // 0)' ||
        problem "$1: jq"
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
