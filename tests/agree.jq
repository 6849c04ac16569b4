# agree.jq - what contradicts itself in JSON results of hprof-diff
#
# For `jq -n -r`, which starts once for many results. Each result of hprof-diff is
# followed by an object with these members: "pair" names the dumps and options,
# "status" is the exit status with --exit-code, "nothing" says whether the table
# says "nothing changed", and "itself" whether a dump was compared with itself. A
# result that is not followed by such an object is skipped. One line for each
# contradiction, which begins with "pair".
def contradictions($facts):
    . as $r | ($r.dumps | map([.objects, .bytes]) | unique | length > 1) as $dumps |
    ([$r.total.count, $r.total.bytes] | map(unique | length > 1) | any) as $total |
    ([$r.rows[] | .count, .bytes | select(. != null) | unique | length > 1] | any)
        as $rows |
    (if $r.changed != ($facts.status == 1) then "exit status" else empty end),
    (if $r.changed == $facts.nothing then "nothing changed" else empty end),
    (if ($dumps or $total or $rows) and ($r.changed | not) then "counts" else empty
        end),
    (if (($r.suspects // []) | length) > 0 and ($r.changed | not) then "suspects"
        else empty end),
    (if $facts.itself and $r.changed then "a dump and itself" else empty end);
foreach inputs as $value ({};
    if $value.pair then {result: (if .facts then null else .result end), facts: $value}
    else {result: $value} end;
    select(.facts) | .facts as $facts | .result |
    if . == null then "no result" else contradictions($facts) end |
    "\($facts.pair): \(.)")
