# A leak of fifty orders, in an array that has grown.
for size in 4 8; do
    fixture leak-before --id-size=$size >before
    fixture leak-after --id-size=$size >after
    code hprof-diff --format=json before after
    jq -c '.rows[] | [.key, .count, .delta_count]' .out
    jq -c '[.total.count[1] - .total.count[0],
        (.rows | map(.delta_bytes) | add) ==
        .total.bytes[1] - .total.bytes[0]]' .out
    code hprof-diff --exit-code before after
done
hprof-diff --format=json before after | jq -c '.layout.reference as $r |
    .rows[] | select(.key == "com.acme.Order[]") | .delta_bytes == 50 * $r'
hprof-diff --format=json after before | jq -c '.rows[] |
    [.key, .delta_count]'
