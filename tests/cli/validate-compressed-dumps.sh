# If a compressed file has many dumps, it is not uncompressed again for each.
# After some of them, the rest is checked like dumps from a pipe, with the same
# findings except for the graph.
need jq
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\0'
    printf '\1\0\0\0\0\1\0\0\4\0\0\0\1'
    head -c 16777216 /dev/zero | tr '\0' a
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do
        printf '\34\0\0\0\0\0\0\0\41\377\0\0\20\0'
        for _ in 1 2; do
            printf '\43\0\0\20\0\0\0\0\1\0\0\0\0\10'
        done
        printf '\54\0\0\0\0\0\0\0\0'
    done
} >dumps
gzip -1 <dumps >dumps.gz
for level in references graph; do
    for f in dumps dumps.gz; do
        hprof-validate --level=$level --format=json $f >$f.json
        echo "$? $level $f"
        jq -c '.files[0] | .limits, [.rules[] | [.rule, .count]]' $f.json
    done
done
