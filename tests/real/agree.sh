# agree.sh - check that the exit status of --exit-code, the JSON member "changed",
# the text "nothing changed" and the suspects agree for pairs of real dumps
pairs() {
    local dump
    for dump in "$HPROF_REAL_DUMPS"/leak/*_before.hprof; do
        [ ! -e "$dump" ] || echo "$dump ${dump/before/after}"
    done
    for dump in "$HPROF_REAL_DUMPS"/suspects/*-1.hprof.zst; do
        [ ! -e "$dump" ] || echo "$dump ${dump/-1./-2.}"
    done
    for dump in "$HPROF_REAL_DUMPS"/suspects/tomcat-5.hprof.zst; do
        [ ! -e "$dump" ] || echo "$dump ${dump/-5./-6.}"
    done
}
pairs >pairs
[ -s pairs ] || {
    echo "no pairs of dumps"
    exit 77
}
while read -r before after; do
    for b in "$after" "$before"; do
        itself=false
        [ "$b" != "$before" ] || itself=true
        for way in --by=path --by=dominator --retained; do
            hprof-diff -q $way --exit-code --format=json "$before" "$b" \
                >json
            status=$?
            nothing=false
            ! hprof-diff -q $way "$before" "$b" |
                grep -c '^nothing changed$' >/dev/null || nothing=true
            printf '{"pair":"%s","status":%s,"nothing":%s,"itself":%s}\n' \
                "${before##*/} $way" $status $nothing $itself >>json
            jq -nr -f "$HPROF_REAL_TESTS/../agree.jq" json
        done
    done
done <pairs
exit 0
