# object-facts.jq - compare the results of hprof-diff --object (inputs) with the
# lines that hprof-convert --graph --edges writes for the same dump ($all).
# Prints what differs.
def plain: sub("^\\[[0-9]+\\]$"; "element") | sub("^<super>$"; "superclass") |
    sub("^<loader>$"; "class loader") | sub("^<signers>$"; "signers") |
    sub("^<protection_domain>$"; "protection domain") |
    sub("^<resolved_references>$"; "<resolved_references>") |
    sub("^constant.*|^<constant.*"; "constant");
($all | map(select(.record == "EDGE" and .field != "<class>"))) as $edges |
($edges | group_by(.to) |
    map({key: .[0].to, value: map([.from, (.field | plain)]) | sort}) |
    from_entries) as $to |
($edges | group_by(.from) |
    map({key: .[0].from, value: map([.to, (.field | plain)]) | sort}) |
    from_entries) as $from |
(reduce ($all[] | select(has("depth"))) as $o ({};
    if has($o.id) then . else .[$o.id] = $o end)) as $lines |
[inputs.object] | if length == 0 then "no objects" else .[] end |
$lines[.id] as $line |
{
    retained: [.retained_count, .retained_bytes, .reachable,
        .dominator.object],
    referrers: [.referred_to_by[] | select(.kind != "local variable") |
        [.object, if .kind == "field" or .kind == "static field"
            then .field | sub(".*\\."; "") else .field end]] | sort,
    fields: [(.fields // .elements)[] | select(.class) |
        [.refers_to, .name // "element"]] | sort
} as $got |
{
    retained: [$line.retained_count, $line.retained_bytes,
        ($line.depth != null), ($line.dominator | if type == "object" then .id else null end)],
    referrers: ($to[.id] // []),
    fields: ($from[.id] // [])
} as $want |
select($got != $want) | .id, $got, $want
