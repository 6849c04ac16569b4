# No line is wider than the terminal, or than 80 columns in a pipe: columns that
# do not fit are left out and named, package names become initials, and text is
# broken. Names that are still too long lose their packages, then their outer
# classes, then their middle. --wide shortens nothing. The heads have the times of
# the dumps. Two equal dumps have no rows.
corpus=$(dirname "$2")/../../corpus
before=$corpus/shop-before.hprof.zst after=$corpus/shop-after.hprof.zst
export COLUMNS=
widest() { LC_ALL=C.UTF-8 wc -L <"$1"; }
COLUMNS=80 hprof-diff --top=0 --all "$before" "$after" >narrow
hprof-diff --top=0 --all "$before" "$after" >pipe
same narrow pipe
COLUMNS=80 hprof-diff --top=0 --all --wide "$before" "$after" >wide
[ "$(widest wide)" -gt 80 ] || problem "wide: too narrow"
# every kind of result at three widths, and with three lists of dumps: each width
# with two of the lists. In check-quick, a ninth of all.
printf '%s\n' --retained --by=path --by=dominator --by=package --by=holder \
    --by=loader --by=heap '--why=Shop$CartListener' '--why=java.lang.String' \
    '--by=path --ignore-path=none' '--columns=count,bytes,largest,native' \
    '--retained --all' '--fail-if=Shop* growth-count>1' \
    '--retained --fail-if=*.HashMap* count>1' | while read -r options; do
    [[ $options = *--fail-if* ]] ||
        printf '%s\n' "80|$options|$after" "100|$options|$after"
    printf '%s\n' "100|$options|$before $after" "160|$options|$before $after" \
        "80|$options|$before $after $before $after" \
        "160|$options|$before $after $before $after"
done | thin | thin >kinds
while IFS='|' read -r width options files; do
    # shellcheck disable=SC2086
    case $options in
    *--fail-if=*)
        COLUMNS=$width hprof-diff ${options%%--fail*} \
            "--fail-if=${options#*--fail-if=}" $files >out
        ;;
    *) COLUMNS=$width hprof-diff $options $files >out ;;
    esac
    looked
    [ -s out ] || problem "$options: nothing"
    [ "$(widest out)" -le "$width" ] ||
        problem "$options: a table is wider than $width"
done <kinds
rm -f .thinned
looked_at "$([ -n "${HPROF_QUICK:-}" ] && echo 8+ || echo 80)"
export COLUMNS=10000
grep -c 'left out' narrow wide
grep -ow '[a-z.]*ConcurrentHashMap$Node' narrow wide
grep '  hotspot  ' wide | sed 's/.*hotspot  \(.*UTC\).*/\1/'
hprof-diff --format=json "$before" "$after" |
    jq -c '[.changed, .dumps[].timestamp_ms]'
# a saved result has the time of its dump; results of an earlier version have
# none
hprof-diff --format=json "$before" >saved.json
hprof-diff saved.json "$after" | grep '  hotspot  ' | sed 's/.*hotspot  \(.*UTC\).*/\1/'
jq 'del(.dumps[].timestamp_ms)' saved.json >old.json
hprof-diff old.json "$before" |
    sed -n '/^1  /s/  (layout.*//p; /nothing/p'
# nothing changed; and something changed although no row is shown
hprof-diff "$before" "$before" | tail -n 1
hprof-diff --all "$before" "$before" | grep -c 'nothing changed'
hprof-diff --filter='no.such*' "$before" "$after" 2>.err | tail -n 1
hprof-diff --format=html "$before" "$before" | grep -o '"changed":[a-z]*'
# a time beyond the supported years is not shown
fixture hotspot >a
{ head -c 23 a; printf '\377\377\377\377\377\377\377\377'; tail -c +32 a; } >b
hprof-diff b | sed -n 's/  (layout.*//p'
hprof-diff --format=json b >b.json
jq -c '.dumps[0] | keys' b.json
code hprof-diff --exit-code b.json a
# two layout models with equal headers are distinguished
fixture art >art
hprof-convert -q --standard art converted
hprof-diff art converted 2>/dev/null | grep -o '(layout.*'
hprof-diff --layout=art art converted | grep -o '(layout.*'
