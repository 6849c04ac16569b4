# Names from the dump do no harm: no control bytes, valid JSON, no formulas.
fixture hostile-names >a
fixture hotspot >b
controls() { # lines with a control byte, or bytes that are no UTF-8
    LC_ALL=C.UTF-8 grep -caxv '[[:print:]	]*' "$1"
}
for f in text json; do
    hprof-validate --format=$f a >out.$f 2>.err || echo "$f: $?"
done
for f in table json csv; do
    hprof-diff --format=$f b a >out.$f 2>.err || echo "diff $f: $?"
    hprof-diff --format=$f a >one.$f 2>.err || echo "one $f: $?"
done
for f in out.text out.table out.csv out.json one.table one.csv one.json; do
    [ "$(controls $f)" = 0 ] || echo "$f: control bytes"
done
jq -e . out.json one.json >/dev/null || echo "not JSON"
grep -c '^"\{0,1\}[=+@-]' out.csv one.csv
jq -r '.rows | length' out.json
