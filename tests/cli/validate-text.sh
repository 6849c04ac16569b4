# The agent's text is checked like a dump, and with rules of its own. Places are
# lines, in every format and for every kind of input.
# needs: text
need jq
fixture agent >a
hprof-convert --to=text a t
code hprof-validate --strict t
# the report says that it is a text, but not for a binary dump
hprof-validate t | sed -n '2s/, dialect.*//p'
hprof-validate a | sed -n '2s/, dialect.*//p'
gzip -c t >t.gz
hprof-validate --format=json t t.gz a | jq -c '[.files[].format]'

# found RULE LINE: check that the rule is reported at this line of ./x.
found() {
    hprof-validate --format=json x | jq -r --arg rule "$1" '
        .files[0].rules[] | select(.rule == $rule) |
        "\(.rule) \(.severity) \(.count) line \(.examples[0].line)"' >got
    [ -s got ] || echo "not found: $1"
    # the offset is that of the line's first byte
    hprof-validate --format=json x | jq -r --arg rule "$1" '
        .files[0].rules[] | select(.rule == $rule) | .examples[0] |
        "\(.line) \(.offset)"' | while read -r line offset; do
        [ "$(head -n $((line - 1)) x | wc -c)" = "$offset" ] ||
            echo "$1: line $line is not at $offset"
    done
    cat got
}

line=$(grep -n '^HEAP DUMP END' t | cut -d: -f1)
echo "HEAP DUMP END is line $line"
sed '/^HEAP DUMP END/d' t >x
found text-end-missing
sed "$((line - 2))s/.*/what/" t >x
found text-line
head -c $(($(wc -c <t) - 5)) t >x
found text-last-line
sed '/^TRACE 300001/,/^HEAP/{/^HEAP/!d}' t >x
found text-trace-missing
sed 's/^   2 24.39%/   3 24.40%/' t >x
found text-rank
found text-percent
sed 's/total = 41/total = 20/' t >x
found text-total
sed 's/^CLS 50000013.*Unlinked/CLS 50000014 (name=x/' t | sed 's/\[3\]/[9]/' >x
found text-element
{
    cat t
    echo 'MONITOR DUMP BEGIN'
    echo '    THREAD 200001, trace 300001, status: CW'
    echo '    THREAD 200001, trace 9, status: R'
    echo 'MONITOR DUMP END'
} >x
found text-trace-missing
sed 's/trace 9, status/trace, status/' x >y && mv y x
found text-line
sed 's/nelems=[0-9]*/nelems=2147483648/' t >x
found text-line
sed '/^CLS 50000007/,/^CLS 50000008/{/^CLS 50000008/!d}' t >x
found text-class-missing
# as on Windows: a newline has two bytes, which offsets count
sed 's/$/\r/' t >crlf
code hprof-validate --strict crlf
hprof-validate --format=json crlf | jq '.files[0].text.bytes // .files[0].bytes'
{
    sed '/^HEAP DUMP END/d' crlf
    printf 'what\r\n'
} >x
found text-end-missing
found text-line
head -c $(($(wc -c <crlf) - 1)) crlf >x
found text-last-line
# a rule about dumps also reports the line: one line has a dangling reference
sed 's/^	owner		50000802/	owner		50000fff/' t >x
grep -n 'owner' x
found ref-dangling-field
hprof-validate x | grep -A1 ref-dangling-field
hprof-validate --format=sarif x | jq -c '.runs[0].results[] |
    select(.ruleId == "ref-dangling-field") |
    .locations[0].physicalLocation.region.startLine'
hprof-validate --format=github x | grep -c 'at line'
hprof-validate --format=junit x | grep -c 'at line'

# for every kind of input
hprof-validate --format=json x | jq 'del(.files[].path)' >want
for way in 'cat x' 'gzip -c x' 'zstd -qc x'; do
    $way | hprof-validate --format=json - |
        jq 'del(.files[].path) | .files[].compression = "none"' |
        same_or_say "$way" want -
    $way >y
    hprof-validate --threads=1 --format=json y |
        jq 'del(.files[].path) | .files[].compression = "none"' |
        same_or_say "$way, a file" want -
done
