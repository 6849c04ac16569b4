# Every JSON result of hprof-validate conforms to the schema in docs/schema.
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
    skip "no python3-jsonschema"
top=$(cd "$(dirname "$2")/../.." && pwd)
fixture agent >agent
hprof-convert -q --to=text agent text
hprof-validate -q --format=json agent >known
mkdir dumps
{
    fixtures valid
    fixtures invalid
} | while read -r name size; do
    fixture "$name" --id-size="$size" >"dumps/$name-$size"
done
# ten dumps in a result
for level in references graph; do
    printf '%s\n' dumps/* | xargs -n 10 hprof-validate -q --format=json \
        --level=$level --memory=24M
done >all 2>.err
for way in --level=framing --baseline=known --dump=2 --max-examples=0; do
    head -c 900 agent >cut
    hprof-validate -q --format=json "$way" agent text cut no-such-file
    hprof-validate -q --format=json "$way" - <agent
done >>all 2>.err
"$top/tests/json-schema" "$top/docs/schema/hprof-validate.schema.json" all >out
grep -v ' values$' out
[ "$(grep -o '^[0-9]* values' out | cut -d' ' -f1)" -gt 90 ] || cat out
[ "$(grep -c '"path": "dumps/' all)" -gt 800 ] || problem "too few dumps"
# the schema is strict: an unknown member is an error
echo '{"tool":"hprof-validate","version":"1","schema":1,"files":[],"more":0}' >more
"$top/tests/json-schema" "$top/docs/schema/hprof-validate.schema.json" more || true
