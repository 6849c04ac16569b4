# A file, a pipe, gzip, zstd and any number of threads give one result.
need zstd gzip jq
{ worlds; echo many-objects 8; echo two-dumps 4; echo classes-last 4; } |
while read -r name size; do
    fixture "$name" --id-size="$size" >a
    gzip -kf a
    zstd -qf a
    hprof-diff --format=json --threads=1 a | plain_json - >want
    jq -e '([.rows[].bytes[0]] | add) == .total.bytes[0]' want >.out ||
        echo "$name $size: rows and total"
    for way in '--threads=2 a' '--threads=5 a' a.gz a.zst; do
        # shellcheck disable=SC2086
        hprof-diff --format=json $way 2>.err | plain_json - >got
        same_or_say "$name $size $way" want got
    done
    cat a | hprof-diff --format=json - 2>.err | plain_json - >got
    same_or_say "$name $size pipe" want got
done
# The search for paths uses several threads where at least 4,096 objects are equally
# far from the roots. In these heaps, references from many objects compete for the
# path of the same object, or each path is a new one.
for shape in rivals tangled fields owned lists leaks; do
    crafted $shape >a
    for rows in --by=path --retained; do
        hprof-diff $rows --all --threads=1 --format=csv a >want
        for threads in 2 5; do
            hprof-diff $rows --all --threads=$threads --format=csv a >got
            same_or_say "$shape $rows --threads=$threads" want got
        done
    done
done
# the name of the field decides between equally long paths
crafted rivals >a
hprof-diff --by=path --all --format=csv --threads=4 a >got
grep -q 'a.First.ours → a.Held,30000,' got || grep Held got
