# graph-lines.jq - of NDJSON with --graph a line for each object: id, class,
# depth, dominator, retained objects and bytes, with "-" for null; of a second
# dump of an id none. Of --raw-input and -r.
fromjson | select(has("retained_count")) |
if .record == "CLASS_DUMP" then .class = "java.lang.Class"
elif .element_type then .class = .element_type + "[]" else . end |
[.id, .class, .depth, (.dominator | if . then .id else null end),
    .retained_count, .retained_bytes] |
map(if . == null then "-" else . end) | @tsv
