# --salvage of dumps of Android apps from which the contents of primitive arrays
# were removed during writing. Every sub-record is found again, and the arrays
# are marked as having no elements.
need jq
kinds() {
    jq -c '.subrecords | .PRIMITIVE_ARRAY_DUMP += .PRIMITIVE_ARRAY_NODATA |
        del(.PRIMITIVE_ARRAY_NODATA)' "$1"
}
for name in cropped cropped-counted; do
    fixture $name >$name
    fixture --info $name >info
    code hprof-convert --salvage $name b
    sed 's/^hprof-convert: //' .err
    code hprof-validate --strict --format=json b
    jq '.files[0]' .out >found
    jq -c .subrecords.PRIMITIVE_ARRAY_NODATA found
    kinds info >want
    kinds found >got
    same want got
    # an array has its length and its size, as if it were complete
    hprof-diff --format=json b | jq -c '.rows[] | select(.key == "long[]") |
        [.count, .bytes]'
    hprof-convert -q --salvage b again
    same b again
    hprof-convert --salvage - <$name 2>.err | cmp - b
    mv b $name.saved
    rm again
done
same cropped.saved cropped-counted.saved
# Truncated anywhere, and with garbage inserted, the result is valid.
for name in cropped cropped-counted; do
    for cut in $(seq 3900 "$(stride 37)" "$(wc -c <$name)"); do
        head -c "$cut" $name >c
        hprof-convert -q --salvage --force c b ||
            echo "$name, $cut bytes: $?"
        hprof-validate -q b >.out || echo "$name, $cut bytes: not valid"
        { head -c "$cut" $name && head -c 30 /dev/zero &&
            tail -c +$((cut + 1)) $name; } >c
        hprof-convert -q --salvage --force c b ||
            echo "$name, noise at $cut: $?"
        hprof-validate --format=json b >got
        arrays=$(sed -n 's/^ *"PRIMITIVE_ARRAY_NODATA": \([0-9]*\).*/\1/p' got)
        [ "$(verdict got)" = valid ] && [ "${arrays:-0}" -ge 40 ] ||
            echo "$name, noise at $cut: $(verdict got), $arrays arrays"
        looked
    done
done
looked_at 20+
rm b c got want found info
left_over cropped cropped-counted cropped.saved cropped-counted.saved
no_temp
