# --salvage of prefixes of small dumps gives a valid dump. If there is no
# complete record, it gives exit status 1 and no output. The same is tested with
# overwritten bytes in the middle. salvage WHAT: salvage ./c
salvage() {
    hprof-convert --salvage --force c b >.out 2>.err
    status=$?
    [ $status -gt 1 ] && echo "$1: exit $status"
    [ $status -eq 1 ] && [ -e b ] && echo "$1: exit 1 and an output"
    return $status
}
# One process for each prefix takes long. The unit test tries every prefix.
step=11
for world in 'tiny 4' 'tiny 8' 'all-tags 4'; do
    # shellcheck disable=SC2086
    set -- $world
    fixture "$1" --id-size="$2" >a
    bytes=$(wc -c <a)
    # the end of the first record
    first=$((31 + 9 + 16#$(head -c 40 a | tail -c 4 | od -An -tx1 |
        tr -d ' \n')))
    kept=
    for n in $(seq 0 $step "$bytes"); do
        head -c "$n" a >c
        if salvage "$world: $n bytes"; then
            [ "$n" -ge $first ] || echo "$world: $n bytes: exit 0"
            mv b "s$n"
            kept="$kept s$n"
        else
            [ "$n" -lt $first ] || echo "$world: $n bytes: exit 1"
        fi
    done
    # shellcheck disable=SC2086
    hprof-validate --format=json $kept >.out 2>.err
    jq -r '.files[] | select(.totals.error > 0) | .path' .out |
        sed "s/^/$world: not valid: /"
    rm -f s*
done
for name in hotspot art agent; do
    fixture $name --id-size=4 >a
    bytes=$(wc -c <a)
    kept=
    for at in $(seq 40 211 "$bytes"); do
        {
            head -c "$at" a
            printf '\377\376\001\002\003\200\177\125\252\000\377garbage'
            tail -c +$((at + 19)) a
        } >c
        if salvage "$name: garbage at $at"; then
            mv b "s$at"
            kept="$kept s$at"
        else
            echo "$name: garbage at $at: exit 1"
        fi
    done
    # shellcheck disable=SC2086
    hprof-validate --format=json $kept >.out 2>.err
    jq -r '.files[] | select(.totals.error > 0) | .path' .out |
        sed "s/^/$name: garbage: not valid: /"
    rm -f s*
done
# the message about a truncated dump: bytes and objects
fixture many-objects --id-size=4 >a
# 132 records are kept; the last segment is truncated
head -c 3000000 a >c
hprof-convert --salvage --force c b 2>&1 | sed 's/.*salvaged/salvaged/'
no_temp
