# references.jq - the references in a dump's NDJSON (jq -n -f): each has the
# class of the object that has its id in the same dump, or null if none has.
# Prints how many there are and how many name nothing, then what is wrong.
def key($dump): "\($dump) \(.)";
[inputs] |
(reduce (.[] | select(.record | test("_DUMP$"))) as $o ({};
    (if $o.record == "CLASS_DUMP" then "java.lang.Class"
     elif $o.element_type then $o.element_type + "[]"
     else $o.class end) as $class |
    ($o.id | key($o.dump)) as $key |
    if $o.id and (has($key) | not) then .[$key] = $class else . end)) as $of |
[.[] | select(.dump) | .dump as $dump |
    ((.fields | objects | .[]), .elements[]?, .statics[]?.value,
        .constants[]?.value, (select(.record | test("^ROOT_"))),
        (select(.record == "CLASS_DUMP") |
            {id: .loader_id, class: .loader_class},
            {id: .signers_id, class: .signers_class},
            {id: .protection_domain_id, class: .protection_domain_class})) |
    objects | select(.id != "0x0") |
    {id, class, want: $of[.id | key($dump)]}] |
[length, ([.[] | select(.class == null)] | length)],
(.[] | select(.class != .want) | "wrong: \(.)")
