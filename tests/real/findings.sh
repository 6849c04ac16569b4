# findings.sh - check that the real dumps have the findings of findings.txt and no
# others. findings.txt has the reason for each finding.
looked=0
while IFS= read -r dump; do
    name=${dump#"$HPROF_REAL_DUMPS"/}
    hprof-diff --partial --retained --format=json --fail-if=finding:waste \
        "$dump" >json 2>err
    [ -s json ] || continue
    looked=$((looked + 1))
    got=$(jq -r '[.findings[]?.id] | join(" ")' json)
    want=$(awk -F '\t' -v name="$name" '$1 == name { print $2 }' \
        "$HPROF_REAL_TESTS/findings.txt")
    [ "$got" = "$want" ] ||
        echo "$name: found '$got', and findings.txt has '$want'"
done < <(find "$HPROF_REAL_DUMPS" -type f ! -path '*/trunc/*' ! -path '*/truth/*' \
    -name '*.hprof*' | sort)
[ "$looked" -ge 40 ] || echo "only $looked dumps were read"
