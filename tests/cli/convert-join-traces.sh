# --join-traces: serials from the agent's table into objects, and arrays in
# pieces; the table's array becomes one of nulls; nothing else changes.
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
    # but for the serials (six objects) and the array (six ids) the same bytes
    echo "$(cmp -l a b | wc -l) bytes differ"
    hprof-convert --to=ndjson b - | jq -c 'select(.record ==
        "OBJECT_ARRAY_DUMP" and .element_count == 6) | .elements'
    hprof-convert --join-traces --threads=1 - <a 2>.err | cmp - b
    rm b
done

# a table longer than a batch, in pieces
fixture many-joinable >a
code hprof-convert --join-traces a b
sed 's/.*a: //' .err
serials b
hprof-convert --join-traces --compress=zstd --threads=3 a c.zst 2>.err
hprof-convert c.zst c && cmp b c
rm b c c.zst

# retained sizes by site: the list's site keeps three int[] of the other site;
# what only the agent's table named is kept by nothing
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

# none, and not enough memory
fixture hotspot >n
code hprof-convert --join-traces n m
sed 's/.*n: //' .err
# a cut is told first: they may be behind it
head -c 2500 a >cut
refused hprof-convert --join-traces cut
rm cut
left_over a n
no_temp
