# Sampling: estimates near what is known, bars that hold it, and gates that do
# not trip on noise but do on what is there. One thread allocates: the VM seeds
# each thread's sampling by its address, so that short threads at the same
# address are sampled alike, and estimates are off by more than chance.
for i in 1 2 3 4; do
    run_java sample=4k,file="$i.hprof" Hostile allocate
done
run_java sample=4k,format=a,file=5.txt Hostile allocate
run_java sample=0,file=0.hprof Hostile allocate
valid ./*.hprof 5.txt

# 51,000 byte[64] of 80 bytes each are allocated: within four standard
# deviations, that is twice the bars of 0.95
for f in [1-4].hprof 5.txt; do
    hprof-diff --by=site --measure=allocated --all --format=json "$f" > s.json
    jq -e '.dumps[0].sample == 4096' s.json
    jq -e '[.rows[] | select(.frames[0] // "" |
        startswith("Hostile.allocate("))] |
        (map(.bytes[0]) | add) as $got |
        (map(.error_bytes[0] * .error_bytes[0]) | add | sqrt) as $error |
        ($error > 50000 and $error < 400000) and
        ($got - 4080000 | fabs) < 2 * $error' s.json ||
        fail "$f: $(jq -c '.rows[:2]' s.json)"
done
has_site 0.hprof allocated 'byte[]' Hostile.allocate 51000 4080000

# the same program: noise alone trips a gate that does not know of it
hprof-diff --by=site --measure=allocated 1.hprof 2.hprof 3.hprof 4.hprof \
    --fail-if='byte[] growth-bytes>0' --confidence=0.9999
hprof-diff --by=site --measure=allocated --fail-if='byte[] growth-bytes>0' \
    --confidence=0.9999 4.hprof 1.hprof
raw=0
for pair in "1 2" "2 1"; do
    hprof-diff -q --by=site --measure=allocated --confidence=0 \
        --fail-if='byte[] growth-bytes>0' "${pair% *}.hprof" \
        "${pair#* }.hprof" > /dev/null || raw=$((raw + 1))
done
[ "$raw" -ge 1 ] || fail "no noise at all"

# half of it is missing: that is no noise
run_java sample=4k,file=less.hprof Hostile return
expect 1 hprof-diff --by=site --measure=allocated less.hprof 1.hprof \
    --fail-if='byte[] growth-bytes>1MB'
