# The members of the JSON result, which is the only output.
fixture dangling-static >a
hprof-validate --format=json a >json
jq -c '[keys_unsorted, (.files[0] | keys_unsorted),
    (.files[0].rules[0] | keys_unsorted)]' json | tr -d '\n'
echo
jq -r '
    def is(t): if type == t then empty else "not a \(t): \(.)" end;
    (.tool, .version | is("string")), (.schema | is("number")),
    (.files | is("array")),
    (.files[] |
        (.path, .compression, .header, .dialect, .verdict | is("string")),
        (.bytes, .id_size, .timestamp_ms | is("number")),
        (.records, .subrecords, .references, .totals | is("object")),
        (.references | .checked, .null, .dangling | is("number")),
        (.totals | .error, .warning, .info | is("number")),
        (.rules[] | (.rule, .severity | is("string")),
            (.count | is("number")), (.examples | is("array")),
            (.examples[] | .offset | is("number"))))' json
jq -c '.tool, .schema, (.files[0] | .path, .header, .id_size, .timestamp_ms,
    .references.dangling, .totals)' json
jq -c '.files[0] | .totals as $t | [.rules[] | [.severity, .count]] |
    group_by(.[0]) | map({(.[0][0]): (map(.[1]) | add)}) |
    add as $sums | $t | to_entries[] |
    select(.value != ($sums[.key] // 0))' json
