# The counts of every fixture without an error, against the builder's (two
# fixtures take sub-records out again, which the builder still counts; records
# of version 1.0 are not decoded).
# One jq for all of them.
fixtures valid | grep -v '^roots-none \|^sticky-none \|^ancient ' |
    while read -r name size; do
    fixture "$name" --id-size="$size" >"$name-$size"
    fixture --info "$name" --id-size="$size" >>infos
    echo "$name-$size" >>names
    looked
done
looked_at 60+
xargs hprof-validate --format=json <names >json 2>.err || echo "exit $?"
# No output at all is none for any file, too.
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
