# Hostile names and a hostile path, in every output format.
# needs: text
need jq
name='=2+5|<b>&"x"'$'\e[2J\r\n::error::%0A]]>\xc3\x28'
fixture hostile-names >hostile
fixture hotspot >plain
fixture cut-array >"$name"
controls() { # lines with a control byte, or bytes that are no UTF-8
    LC_ALL=C.UTF-8 grep -caxv '[[:print:]	]*' "$1"
}
for f in text json sarif junit github html rows tsv; do
    hprof-validate --format=$f hostile "$name" >"v.$f" 2>"err.$f"
    hprof-validate --strict --level=graph --format=$f hostile >>"v.$f" 2>>"err.$f"
done
for f in table json csv tsv ndjson rows html folded speedscope markdown sarif junit; do
    for by in class package loader heap site; do
        hprof-diff --by=$by --format=$f plain hostile >"d.$f.$by" 2>>"err.$f" ||
            echo "diff --by=$by --format=$f: $?"
    done
done
for f in text ndjson; do
    hprof-convert --to=$f hostile >"c.$f" 2>>"err.$f" || echo "convert $f: $?"
done
hprof-convert "$name" out 2>>err.convert
hprof-diff "$name" 2>>err.diff
for f in v.* d.* c.* err.*; do
    [ "$(controls "$f")" = 0 ] || echo "$f: control bytes"
done
for f in v.json v.sarif v.rows d.json.* d.ndjson.* d.rows.* c.ndjson; do
    jq -e . "$f" >.out 2>.err || echo "$f: no JSON"
done
# A page runs only its own scripts, and the data stay text.
for f in v.html d.html.*; do
    [ "$(grep -c '</script' "$f")" = "$(grep -c '<script' "$f")" ] ||
        echo "$f: tags do not match"
    grep -qi '<img\|onerror=\|<b>' "$f" && echo "$f: markup from the dump"
done
# No cell of a spreadsheet is a formula.
grep -l '^"\{0,1\}[=+@-]\|,"\{0,1\}[=+@-][^0-9]' d.csv.*
# Each line is one workflow command, and none comes from the dump or a path.
grep -v '^::\(error\|warning\|notice\) file=\|^$' v.github | head -n 3
# The XML is well-formed.
if command -v xmllint >/dev/null; then
    hprof-validate --format=junit hostile "$name" >junit 2>.err
    xmllint --noout junit || echo "no XML"
fi
# A control character in a name is escaped once. Formats that do not escape
# backslashes show one backslash.
fixture dangling-static | sed 's,com/acme/Holder,com/acme/H\x1Blder,' >escape
hprof-validate --format=json escape | jq -r '.. | .message? // empty' >text.json
hprof-validate --format=sarif escape |
    jq -r '.runs[0].results[].message.text' >text.sarif
hprof-validate --format=junit escape >text.junit
hprof-validate --format=github escape >text.github
hprof-validate escape >text.text
for f in text.*; do
    grep -qF 'H\u{1B}lder' "$f" || echo "$f: not escaped once"
done
# A formula in full-width letters is escaped with and without a backslash.
jq -n '{tool: "hprof-diff", schema: 1, by: "class", normalize: true,
    layout: {reference: 4, header: 12, array_header: 16, alignment: 8},
    dumps: [{path: "x", dialect: "hotspot", objects: 8, bytes: 8}],
    rows: [("＝", "＋", "－", "＠", "=", "+", "-", "@") |
        {key: (. + "1\\u{9}+2"), count: [1], bytes: [1]}]}' >saved.json
hprof-diff --format=csv saved.json | tail -n +2 | grep -v "^\"\{0,1\}'"
hprof-diff --format=csv saved.json | grep -c "'" | grep -vx 8
true
