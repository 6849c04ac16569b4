# --join-traces copies the trace serials of the agent's table into the objects,
# also into arrays in pieces. The array of the table gets null elements. Nothing
# else changes.
serials() {
    hprof-convert --to=ndjson "$1" - 2>.err |
        jq -r 'select(.record == "PRIMITIVE_ARRAY_DUMP" and
            .trace_serial > 300000) | .trace_serial' | sort | uniq -c
}

for id in 4 8; do
    fixture joinable --id-size=$id >a
    code hprof-convert --join-traces a b
    sed 's/.*a: //' .err
    serials a
    serials b
    hprof-validate --strict -q b | tail -n 1
    # except for the serials (six objects) and the array (six ids) the bytes are
    # equal
    echo "$(cmp -l a b | wc -l) bytes differ"
    hprof-convert --to=ndjson b - | jq -c 'select(.record ==
        "OBJECT_ARRAY_DUMP" and .element_count == 6) | .elements'
    hprof-convert --join-traces --threads=1 - <a 2>.err | cmp - b
    rm b
done

# a table that is larger than a batch, in pieces
fixture many-joinable >a
code hprof-convert --join-traces a b
sed 's/.*a: //' .err
serials b
hprof-convert --join-traces --compress=zstd --threads=3 a c.zst 2>.err
hprof-convert c.zst c && cmp b c
rm b c c.zst

# Retained sizes by site: the list's site retains three int[] of the other site.
# Objects to which only the agent's table referred are unreachable.
for id in 4 8; do
    fixture joinable-list --id-size=$id >l
    hprof-convert --join-traces l j 2>.err || cat .err
    hprof-diff --by=site --sites=objects --retained --format=json j |
        jq -c '.sites, (.rows[] | select(.frames != []) | [.key, .frames[0],
            .count, .bytes, .retained_count, .retained_bytes])'
    hprof-diff --by=site --sites=objects --retained --format=json l 2>.err |
        jq -c '[.rows[].frames[]]'
    for threads in 1 3; do
        hprof-diff --by=site --sites=objects --retained --format=csv \
            --threads=$threads - <j >csv.$threads
    done
    same csv.1 csv.3
    hprof-diff --by=site --sites=objects --retained j \
        --fail-if='int[] retained>1KB' >.out 2>.err
    echo "gate: $?"
    rm l j csv.?
done

# a dump without a table, and too little memory
fixture hotspot >n
code hprof-convert --join-traces n m
sed 's/.*n: //' .err
# a truncation is reported first, because the table may be missing
head -c 2500 a >cut
refused hprof-convert --join-traces cut
rm cut
left_over a n
no_temp
