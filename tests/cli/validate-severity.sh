# --min-severity: a healthy dump has no findings in the formats of CI systems,
# and notes in the other formats. Totals, verdict and exit status count
# everything.
fixture hotspot >healthy
fixture dangling-static >warned
fixture super-self >error
counts() {
    hprof-validate "$@" healthy warned error >out 2>.err
    echo "$? $*"
}
found() { # error, warning and note as each format spells them
    local w
    for w in "$@"; do
        printf ' %s' "$(grep -cE "$w" out)"
    done
    echo
}
for min in '' --min-severity=info --min-severity=warning --min-severity=error
do
    counts --format=sarif $min
    jq -c '[.runs[0].results | group_by(.level)[] | [.[0].level, length > 0]]' out
    counts --format=github $min
    found ^::error ^::warning ^::notice
    counts --format=junit $min
    found '<failure' 'warning at byte' 'info at byte'
    counts --format=json $min
    jq -c '[.files[] | [.verdict, .totals.error, .totals.warning,
        .totals.info > 0, ([.rules[].severity] | unique)]]' out
    counts $min
    found '^  error ' '^  warning ' '^  [0-9]* informational notes? \([0-9]+ rules?\)'
done
counts --strict --format=github --min-severity=error
counts -v
found '^  info '
hprof-validate --format=sarif healthy | jq '.runs[0].results | length'
code hprof-validate --min-severity=all healthy
