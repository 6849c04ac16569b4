# Every damage is reported with its rule and its offset, and the verdict and the
# exit status fit. One jq process checks all of them. In check-quick, with one
# size of ids.
fixture --list | awk -F '\t' -v quick="${HPROF_QUICK:-}" '
    $4 != "-" && $1 != "overflow" {
        n = split($2, s, ",")
        for (i = quick ? n : 1; i <= n; i++)
            print $1, s[i], $3, $4
    }' | some | while read -r name size verdict rule; do
    fixture "$name" --id-size="$size" >a
    fixture --info "$name" --id-size="$size" >>infos
    hprof-validate --level=graph --format=json --max-examples=1000000 a \
        >>results 2>.err
    status=$?
    looked
    if [ "$verdict" = valid ]; then want=0; else want=1; fi
    # a check that was requested but was not possible gives exit status 2
    if [ "$name" = instance-class ]; then want=2; fi
    [ $status -eq $want ] || echo "$name $size: exit $status, not $want"
    echo "$name $size $verdict $rule" >>names
done
looked_at 150+
jq -n -r --slurpfile info infos --slurpfile results results --rawfile names names '
    ($names | split("\n")[:-1] | map(split(" "))) as $names |
    if ($results | length) != ($names | length) or
        ($info | length) != ($names | length)
    then "\($results | length) results, \($info | length) infos"
    else empty end,
    (range($names | length) as $i | $names[$i] as [$name, $size, $want, $rule] |
        $info[$i].marks.damage as $at | $results[$i].files[0] |
        ([.rules[] | select(.rule == $rule)] | first) as $r |
        (if .verdict != $want then "verdict \(.verdict)" else empty end,
        if $r == null
        then "no \($rule), but \([.rules[].rule] | join(" "))"
        elif $at == null or any($r.examples[]; .offset == $at) then empty
        else "\($rule) at \([$r.examples[].offset]), not \($at)" end) |
        "\($name) \($size): \(.)")'
