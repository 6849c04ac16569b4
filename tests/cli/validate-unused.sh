# A dump shows that a string is unused only if all its records are present. If
# records that refer to strings may be lost, this rule is not checked.
need jq
for f in hotspot string-unused length-trace length-load heap-missing \
    end-missing cut-class cut-string tag-unknown garbage claim-fields \
    subtag-unknown unpatched; do
    fixture "$f" >a
    hprof-validate --format=json a | jq -r --arg f "$f" '.files[] |
        ([.rules[] | select(.rule == "string-unused") | .count] | add) as $n |
        (.not_checked // [] | index("string-unused")) as $not |
        "\($f): \($n // 0)\(if $not then ", not checked" else "" end)"'
    looked
done
looked_at 13
