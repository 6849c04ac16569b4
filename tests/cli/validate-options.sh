# --rules, --explain, --disable, --severity, --level, --max-examples,
# --baseline.
hprof-validate --rules >rules
[ "$(wc -l <rules)" -ge 110 ] || echo "only $(wc -l <rules) rules"
awk '$2 !~ /^(error|warning|info)$/ || NF < 4' rules
awk '{ print $1 }' rules | sort | uniq -d
awk '{ print $1 }' rules | while read -r rule; do
    hprof-validate --explain="$rule" >.out || echo "no text: $rule"
    sed "s/^/$rule /" .out >>texts
    looked
done
# The text has at least four lines, the name of the rule, and advice. If a finding
# is more than a note, there is something to do.
awk '
    function judge() {
        if (lines < 4)
            print "short: " rule
        if (!advice)
            print "no advice: " rule
        if (first ~ /\((error|warning)\)$/ && nothing)
            print "nothing to do: " rule
    }
    $1 != rule {
        if (rule != "")
            judge()
        rule = $1
        lines = advice = nothing = 0
        first = substr($0, length(rule) + 2)
        if (index(first, rule ": ") != 1)
            print first
    }
    {
        text = substr($0, length(rule) + 2)
        lines++
        advice = advice || text ~ /^What to do: /
        nothing = nothing || text ~ /^What to do: Nothing:/
    }
    END { judge() }' texts
rm texts
looked_at 110+
code hprof-validate --explain=no-such-rule
fixture super-self >error
fixture dangling-static >warning
fixture hotspot >fine
code hprof-validate --disable=super-cycle error
code hprof-validate --disable=super-cycle,end-missing error
code hprof-validate --disable=nonsense error
code hprof-validate --disable= error
code hprof-validate --disable=super-cycle, error
code hprof-validate --severity=super-cycle=warning error
code hprof-validate --severity=ref-dangling-static=error warning
code hprof-validate --severity=ref-dangling-static=bad warning
code hprof-validate --severity=ref-dangling-static warning
code hprof-validate --strict --disable=ref-dangling-static warning
code hprof-validate --level=framing --strict error warning
# a check that was not requested causes no warning
hprof-validate --level=framing error warning fine 2>&1 >/dev/null
hprof-validate --level=framing --format=json error |
    jq -c '.files[0] | .references, .verdict'
hprof-validate --level=graph --format=json fine |
    jq -c '.files[0] | .not_checked, .limits'
code hprof-validate --level=deep fine
hprof-validate --max-examples=0 --format=json warning |
    jq -c '.files[0].rules[] | select(.rule == "ref-dangling-static") |
        [.count, .examples]'
hprof-validate --max-examples=2 --format=json fine |
    jq -c '.files[0].rules[] | select(.examples | length > 2)'
# a baseline hides exactly the findings that it contains
hprof-validate --format=json error warning >base
code hprof-validate --strict --baseline=base error warning
hprof-validate --baseline=base --format=json error |
    jq -c '.files[0] | .verdict, .rules, .known > 0'
cp error other
code hprof-validate --baseline=base other
fixture super-cycle >more
code hprof-validate --baseline=base more
fixture instance-long >another
code hprof-validate --baseline=base another
code hprof-validate --baseline=nosuch error
code hprof-validate --baseline=fine error
code hprof-validate --dump=2 fine
# a known finding stays known with another severity of its rule; a finding of
# another rule is new
fixture dangling-field >dangling
hprof-validate --format=json dangling >known
for severity in error warning info; do
    hprof-validate --baseline=known --format=json \
        --severity=ref-dangling-field=$severity dangling |
        jq -c '.files[0] | [.verdict, .rules, .known > 0]'
    hprof-validate --baseline=known --format=json \
        --severity=ref-dangling-array=$severity dangling |
        jq -c '.files[0] | [.verdict, .rules, .known > 0]'
done
# A finding is new if it had another severity. For a file that is not in the
# baseline, as many findings are known as in the baseline's file with the most
# of them.
jq '.files[].rules[].severity = "error"' known >worse
hprof-validate --baseline=worse --format=json dangling |
    jq -c '.files[0] | [.verdict, ([.rules[].count] | add), .known]'
jq '.files[0].path = "one" | .files[0].rules[].examples = [] |
    .files += [.files[0] | .path = "two" | .rules[].count = 0]' known >others
hprof-validate --baseline=others --format=json dangling |
    jq -c '.files[0] | [.verdict, ([.rules[].count] | add), .known]'
rm worse others
hprof-validate --format=json fine >healthy
hprof-validate --baseline=healthy --format=json \
    --severity=ref-dangling-field=error dangling |
    jq -c '.files[0] | [.verdict, [.rules[] | [.rule, .count]]]'
rm dangling known healthy
# a file is identified by its path, whatever characters it has
odd=$'odd\xff\\x41\n\u200b'
cp fine "$odd"
hprof-validate --format=json error "$odd" >named
cp error "$odd"
code hprof-validate --baseline=named error
hprof-validate --baseline=named "$odd" >.out
echo $?
rm "$odd" named
# bytes that were not decoded because of an error are reported
fixture subtag-unknown >broken
hprof-validate --format=json broken | jq -c '.files[0].not_checked |
    index("ref-dangling-field") != null'
hprof-validate broken | grep -c 'not checked because'
left_over rules text error warning fine base other more another broken
# a compressed baseline works; a truncated one is refused
gzip -k base
zstd -q base
code hprof-validate --strict --baseline=base.gz error warning
code hprof-validate --strict --baseline=base.zst error warning
head -c 100 base >cut
code hprof-validate --strict --baseline=cut error warning
cat .err
# and a baseline is never overwritten
cp base kept
code hprof-validate --baseline=base --force --output=base error
cat .err
cmp base kept
: >nothing
code hprof-validate --baseline=nothing error
cat .err
# a known finding stays known if there are more of the same kind
objects() { # N: so many instances whose field names nothing
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\1\214\0\0\0\0'
    printf '\34\0\0\0\0\0\0\0%b' "\\0$(printf %o $((48 + 21 * $1)))"
    printf '\40\0\0\0\100'
    head -c 28 /dev/zero
    printf '\0\0\0\4\0\0\0\0\0\1\0\0\0\5\2'
    for i in $(seq "$1"); do
        printf '\41\0\0\1%b\0\0\0\0\0\0\0\100\0\0\0\4\0\0\17\1' "\\0$(printf %o "$i")"
    done
    printf '\54\0\0\0\0\0\0\0\0'
}
objects 2 >many
hprof-validate --format=json many >base
objects 3 >many
hprof-validate --baseline=base many | grep -A 1 dangling-field
hprof-validate --baseline=base many | tail -n 1
# a time after the year 9999 is written as 0, "not known"; a larger number than
# 2^63 could not be read again
{ printf 'JAVA PROFILE 1.0.2\0\0\0\0\4' && head -c 8 /dev/zero | tr '\0' '\377'; } >never
hprof-validate --format=json never >base
jq -c '.files[0].timestamp_ms' base
hprof-validate --baseline=base never | tail -n 1
