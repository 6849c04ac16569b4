# The members of the JSON result.
fixture leak-before >a
fixture leak-after >b
hprof-diff --format=json a b >json
jq -r '
    def is(t): if type == t then empty else "not a \(t): \(.)" end;
    (.tool, .version, .by | is("string")), (.schema | is("number")),
    (.layout | is("object")),
    (.layout | .reference, .header, .array_header, .alignment |
        is("number")), (.layout.source | is("string")),
    (.dumps | is("array")), (.dumps[] | (.path, .dialect | is("string")),
        (.objects, .bytes | is("number")), (.partial | is("boolean"))),
    (.rows[] | (.key | is("string")), (.count, .bytes | is("array")),
        (.delta_count, .delta_bytes | is("number"))),
    (.total | .count, .bytes | is("array"))' json
jq -c '[.tool, .schema, .by, (.dumps | length), (.dumps[].path)],
    .layout' json
