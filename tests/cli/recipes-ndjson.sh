# The jq recipes of the README work exactly as they are printed.
need jq
readme=$(dirname "$2")/../../docs/json.md
fixture hotspot >a.hprof
awk '/^```sh/ { on = 1; n++; next }
    /^```/ { if (on) print "echo; echo ---"; on = 0 }
    on' "$readme" >all
# the recipes for NDJSON lines
awk -v RS='---\n' '/--to=ndjson/' all >recipes
grep -c -- --to=ndjson recipes
# shellcheck disable=SC1091
. ./recipes
# the columns that DuckDB reads exist
hprof-convert --to=ndjson a.hprof | jq -c 'select(.record == "INSTANCE_DUMP" or
    .record == "PRIMITIVE_ARRAY_DUMP" or .record == "CLASS_DUMP") | keys |
    map(select(IN("record", "id", "class", "name", "element_type",
        "element_count", "fields"))) | join(" ")' | sort -u
