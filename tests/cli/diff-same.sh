# A dump compared with itself has no row, and exit status 0 even with
# --exit-code. One jq process checks all of them.
whole | while read -r name size; do
    fixture "$name" --id-size="$size" >a
    hprof-diff --exit-code --format=json a a >>results 2>.err ||
        echo "$name $size: exit $?"
    looked
    echo "$name $size" >>names
done
looked_at 40+
[ "$(jq -c .tool results | wc -l)" -eq "$(wc -l <names)" ] ||
    echo "results are missing"
jq -c '.rows, .total.count[0] == 0, .total.count[0] - .total.count[1],
    .total.bytes[0] - .total.bytes[1]' results | paste -d ' ' - - - - |
    paste -d ' ' - names | grep -v '^\[\] false 0 0 '
true
