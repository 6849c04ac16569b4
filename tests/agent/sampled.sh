# With sampling, estimates are near the known values, the margins of error
# contain these values, and gates fail for growth but not for noise. Only one
# thread allocates: the VM seeds the sampling of each thread with the address of
# the thread. So short threads at the same address are sampled alike, and the
# errors of their estimates are too large for chance.
for i in 1 2 3 4; do
    run_java sample=4k,file="$i.hprof" Hostile allocate
done
run_java sample=4k,format=a,file=5.txt Hostile allocate
run_java sample=0,file=0.hprof Hostile allocate
valid ./*.hprof 5.txt

# The program allocates 51,000 byte[64] of 80 bytes each. The estimate is within
# four standard deviations, which is twice the margin of error at a confidence
# of 0.95.
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

# All files are of the same program, so differences are noise. Only a gate that
# ignores the margin of error fails.
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

# half of the allocations are missing, which is more than noise
run_java sample=4k,file=less.hprof Hostile return
expect 1 hprof-diff --by=site --measure=allocated less.hprof 1.hprof \
    --fail-if='byte[] growth-bytes>1MB'
