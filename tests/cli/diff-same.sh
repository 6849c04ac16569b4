# A dump against itself: no row, exit 0 also with --exit-code.
whole | while read -r name size; do
    fixture "$name" --id-size="$size" >a
    hprof-diff --exit-code --format=json a a >json 2>.err ||
        echo "$name $size: exit $?"
    looked
    [ -s json ] || echo "$name $size: no result"
    jq -c 'select(.rows != [] or .total.count[0] == 0 or .total.count[0] != .total.count[1])' json |
        sed "s/^/$name $size: /"
done
looked_at 40+
