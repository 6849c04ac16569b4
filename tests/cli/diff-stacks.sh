# --stacks shows the stacks of threads, and what the locals of each frame retain.
need jq
# all locals of threads, as hprof-convert has their objects
worlds | while read -r name size; do
    fixture "$name" --id-size="$size" >dump
    hprof-convert --dump=1 --to=ndjson --graph dump 2>.err >lines || continue
    jq -s -c '(map(select(.retained_bytes)) | INDEX(.id)) as $o |
        (map(select(.record == "ROOT_THREAD_OBJECT" and $o[.id])) |
            INDEX(.thread_serial)) as $t |
        [.[] | select((.record | IN("ROOT_JAVA_FRAME", "ROOT_JNI_LOCAL",
            "ROOT_NATIVE_STACK", "ROOT_THREAD_BLOCK", "ROOT_JNI_MONITOR")) and
            $t[.thread_serial | tostring] and $o[.id]) |
            [.class, $o[.id].retained_bytes]] | sort' lines >want
    hprof-diff --by=thread --stacks --dump=1 --format=json dump 2>.err |
        jq -c '[.stacks[].frames[].locals[] | range(.count) as $i |
            [.class, .retained_bytes / .count]] | sort' >got
    same_or_say "$name $size" want got
    looked
done
looked_at 21
fixture hotspot >dump
hprof-diff --by=thread --stacks dump | sed -n '/^thread "/,$p'
hprof-diff --by=thread --stacks --format=json dump | jq -c '.stacks[] |
    [.key, .threads, .out_of_memory, .retained_bytes], .frames[]'
for threads in 1 3; do
    hprof-diff --by=thread --stacks --threads=$threads --format=json dump |
        jq .stacks >got
    hprof-diff --by=thread --stacks --format=json dump | jq .stacks >want
    same want got
done
hprof-diff --stacks dump 2>&1 | head -n 1 || true
