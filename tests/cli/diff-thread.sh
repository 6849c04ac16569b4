# --by=thread shows what each thread keeps alive by its stack and thread-locals.
need jq
top=$(dirname "$2")/../..
# the retained sizes of the thread objects, as hprof-convert --graph has them
worlds | while read -r name size; do
    fixture "$name" --id-size="$size" >dump
    hprof-convert --dump=1 --to=ndjson --graph dump 2>.err >lines || continue
    jq -s -c '([.[] | select(.record == "ROOT_THREAD_OBJECT") | .id] | unique) as $t |
        [.[] | select(.retained_bytes and (.id | IN($t[])))] | unique_by(.id) |
        [length, (map(.retained_count) | add // 0),
         (map(.retained_bytes) | add // 0)]' lines >want
    hprof-diff --by=thread --dump=1 --format=json dump 2>.err |
        jq -c '[.rows[] | [.count[0], .retained_count[0], .retained_bytes[0]]] |
            [(map(.[0]) | add // 0), (map(.[1]) | add // 0),
             (map(.[2]) | add // 0)]' >got
    same_or_say "$name $size" want got
    looked
done
looked_at 21
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
hprof-diff --by=thread --format=csv b
hprof-diff --by=thread --all --format=json a b |
    jq -c '.rows[] | [.key, .count, .retained_bytes]'
hprof-diff --by=thread --format=json a >saved.json
for threads in 1 3; do
    hprof-diff --by=thread --all --threads=$threads --format=json saved.json b |
        jq .rows >got
    hprof-diff --by=thread --all --threads=$threads --format=json a b |
        jq .rows >want
    same want got
done
for gate in 'main retained>100' 'main retained>100MB' 'total growth-retained>1MB'; do
    hprof-diff --by=thread --fail-if="$gate" a b >.out 2>.err
    echo "$? $gate"
done
