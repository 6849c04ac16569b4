# agree.jq - what contradicts itself in a JSON result of hprof-diff
#
# Arguments: $status, the exit status with --exit-code; $nothing, 1 if the table
# says "nothing changed"; $a and $b, the dumps. One line for each contradiction.
. as $r | ($r.dumps | map([.objects, .bytes]) | unique | length > 1) as $dumps |
([$r.total.count, $r.total.bytes] | map(unique | length > 1) | any) as $total |
([$r.rows[] | .count, .bytes | select(. != null) | unique | length > 1] | any)
    as $rows |
(if $r.changed != ($status == "1") then "exit status" else empty end),
(if $r.changed == ($nothing == "1") then "nothing changed" else empty end),
(if ($dumps or $total or $rows) and ($r.changed | not) then "counts" else empty
    end),
(if (($r.suspects // []) | length) > 0 and ($r.changed | not) then "suspects"
    else empty end),
(if $a == $b and $r.changed then "a dump and itself" else empty end)
