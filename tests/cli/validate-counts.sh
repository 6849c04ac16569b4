# Compare the counts of every valid fixture with those of the builder. (Two
# fixtures remove sub-records again, which the builder still counts. Records of
# version 1.0 are not decoded.) One jq process checks all of them.
fixtures valid | grep -v '^roots-none \|^sticky-none \|^ancient ' |
    while read -r name size; do
    fixture "$name" --id-size="$size" >"$name-$size"
    fixture --info "$name" --id-size="$size" >>infos
    echo "$name-$size" >>names
    looked
done
looked_at 60+
xargs hprof-validate --format=json <names >json 2>.err || echo "exit $?"
# Empty output means that no file was compared.
jq -rn --slurpfile json json --slurpfile info infos --rawfile names names '
    ($names | split("\n")[:-1]) as $names |
    ($json[0].files // []) as $files |
    if ($files | length) != ($names | length) or
        ($info | length) != ($names | length)
    then "\($files | length) results, \($info | length) infos"
    else empty end,
    ($files | to_entries[] | .value as $got | $info[.key] as $want |
        select($got.path != $names[.key] or $got.bytes != $want.bytes
            or $got.records != $want.records
            or $got.subrecords != $want.subrecords) |
        "\($got.path): \([$got.bytes, $got.records, $got.subrecords])")'
