# Objects that wait for their finalizer are kept alive by the finalizer queue,
# with their bytes, although the reference to them is weak.
for name in cache-before finalizer-stuck; do
    fixture $name >$name
done
hprof-diff --by=path --exit-code cache-before finalizer-stuck >table
echo "exit status $?"
sed -n '/^   weakly/p; /^count/,$p' table
hprof-diff --by=path --format=json cache-before finalizer-stuck >json
jq -c '.dumps[] | [.reachable, .weak, .finalizer_queue]' json
jq -c '.total, .ignored.paths' json
# the sum of the rows is what is reachable and what waits
jq -c '.dumps[1] as $d | ($d.reachable.objects + $d.finalizer_queue.objects ==
    .total.count[1]), ($d.reachable.bytes + $d.finalizer_queue.bytes ==
    .total.bytes[1]), (.total.count == .total.retained_count)' json
hprof-diff --by=path --all --format=json cache-before finalizer-stuck |
    jq -c '.rows[] | select(.key | contains("referent")) |
        [.key, .count, .bytes, .retained_count, .retained_bytes]'
# so is the sum of what the owners retain
hprof-diff --by=dominator --all --format=json cache-before finalizer-stuck >json
jq -c '.dumps[1] as $d | ($d.reachable.bytes + $d.finalizer_queue.bytes ==
    .total.retained_bytes[1]), ([.rows[].retained_bytes[1]] | add) ==
    .total.retained_bytes[1], ([.rows[].retained_count[1]] | add) ==
    .total.retained_count[1]' json
jq -c '.rows[] | select(.key | contains("Finalizer")) |
    [.key, .count, .retained_count, .retained_bytes]' json
code hprof-diff --by=dominator --fail-if='*Finalizer* growth-retained>8KB' \
    cache-before finalizer-stuck
# gates count them by their class and by the queue
code hprof-diff --by=path --fail-if='*com.acme.Slow growth-count>49' \
    cache-before finalizer-stuck
code hprof-diff --by=path --fail-if='*Finalizer.unfinalized* growth-retained>8KB' \
    cache-before finalizer-stuck
# --why shows the queue
hprof-diff --why='com.acme.Slow' --format=json cache-before finalizer-stuck |
    jq -c '.rows[] | [.key, .count]'
hprof-convert --to=ndjson finalizer-stuck | jq -r 'select(.record ==
    "INSTANCE_DUMP" and .class == "com.acme.Slow") | .id' | tail -n 1 >id
hprof-diff --why="$(cat id)" --format=json finalizer-stuck |
    jq -c '.rows[] | [.key, .count]'
# the suspect includes what waits; other sizes stay the same
hprof-diff --retained --format=json cache-before finalizer-stuck >json
jq -c '.suspects[] | [.class, .path, .delta_retained_bytes, .holds]' json
jq -c '.rows[] | select(.key == "com.acme.Slow") |
    [.count, .retained_count]' json
# a saved result gives the same as its dump (but for labels, which need the
# objects), for any number of threads and with all references
for name in cache-before finalizer-stuck; do
    hprof-diff --by=path --format=json $name >$name.json
done
hprof-diff --by=path --format=json cache-before finalizer-stuck |
    jq 'del(.rows[].label) | .rows, .total' >want
hprof-diff --by=path --format=json cache-before.json finalizer-stuck.json |
    jq '.rows, .total' >got
same want got
for threads in 1 3; do
    hprof-diff --by=path --threads=$threads --format=json cache-before \
        finalizer-stuck | jq 'del(.rows[].label) | .rows, .total' >got
    same want got
done
hprof-diff --by=path --reachability=all --format=json cache-before \
    finalizer-stuck | jq -c '[.dumps[].finalizer_queue], [.rows[].key]'
