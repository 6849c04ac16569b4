# Every damage is named by its rule at its offset, with the verdict and the
# exit status that follow from it.
fixture --list | awk -F '\t' '$4 != "-" && $1 != "overflow" {
    n = split($2, s, ","); for (i = 1; i <= n; i++) print $1, s[i], $3, $4
}' | some | while read -r name size verdict rule; do
    fixture "$name" --id-size="$size" >a
    at=$(fixture --info "$name" --id-size="$size" | jq .marks.damage)
    hprof-validate --level=graph --format=json --max-examples=1000000 a \
        >json 2>.err
    status=$?
    looked
    if [ "$verdict" = valid ]; then want=0; else want=1; fi
    [ $status -eq $want ] || echo "$name $size: exit $status, not $want"
    jq -r --arg rule "$rule" --argjson at "$at" --arg want "$verdict" '
        .files[0] |
        ([.rules[] | select(.rule == $rule)] | first) as $r |
        if .verdict != $want then "verdict \(.verdict)" else empty end,
        if $r == null
        then "no \($rule), but \([.rules[].rule] | join(" "))"
        elif $at == null or any($r.examples[]; .offset == $at) then empty
        else "\($rule) at \([$r.examples[].offset]), not \($at)" end' json |
        sed "s/^/$name $size: /"
done
looked_at 150+
