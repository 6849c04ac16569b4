# planted.sh - check that the programs count exactly the planted objects that
# MANIFEST.md lists
D=$HPROF_REAL_DUMPS

# planted FILE "CLASS COUNT"...: exact counts of rows.
planted() {
    local file=$D/$1 want
    shift
    hprof-diff --format=json "$file" >json 2>err || {
        echo "$file: exit $?"
        return
    }
    jq -r '.rows[] | "\(.key) \(.count[0])"' json >rows
    for want in "$@"; do
        grep -qxF -- "$want" rows ||
            echo "$file: no row '$want', but:" \
                "$(grep -F -- "${want% *} " rows | head -n 1)"
    done
}

rich=('Rich$Größe 11' 'Rich$日本 12' 'Rich$Shadow3 13' 'Rich$Empty 14'
    'Rich$OnlyBool 15' 'Rich$AllPrims 16' 'Rich$Sq 9' 'Rich$Cycle 42'
    'Rich$SelfRef 1' 'Rich$Soft 30' 'Rich$Weak 8' 'Rich$Fin 6'
    'Rich$JniHeld 125' 'Rich$StackLocal 3826' 'Plugin 6' 'Rich$IsoLoader 3'
    'Shop$Order 200' 'Shop$Customer 20')
modern=('Modern$Point 40' 'Modern$Named 7' 'Modern$A 1' 'Modern$B 1')
for file in "$D"/hotspot/{rich_,jcmd,jhsdb_17}*.hprof*; do
    [ -f "$file" ] || continue
    name=hotspot/${file##*/}
    case $name in
    *_8_* | *_11_*) planted "$name" "${rich[@]}" ;;
    *_21_* | *_25*) planted "$name" "${rich[@]}" "${modern[@]}" \
        'Modern$VLocal 20' ;;
    *) planted "$name" "${rich[@]}" "${modern[@]}" ;;
    esac
done
planted hotspot/tiny_8.hprof 'Tiny$Marker 17'
for name in ag_8_all ag_8_allcpu ag_8_dump; do
    planted agent/$name.hprof 'Ag$Tree 1023' 'Ag$Leaf 1023'
done

# Five hidden classes of one object each, from JDK 17 on.
for name in rich_17_def rich_21_def rich_25_def; do
    hprof-diff --format=json --normalize=off "$D/hotspot/$name.hprof" |
        jq -r '[.rows[] | select(.key | test("^Hid[+/]0x")) | .count[0]] |
            select(. != [1, 1, 1, 1, 1]) | "hidden classes: \(.)"'
done

# Leak pairs: before, after, or the difference alone.
leak() { # leak PAIR "CLASS FROM TO" or "CLASS DELTA" ...
    local pair=$1 want
    shift
    hprof-diff --all --format=json "$D/leak/leak_${pair}_before.hprof" \
        "$D/leak/leak_${pair}_after.hprof" >json 2>err || {
        echo "leak $pair: exit $?"
        return
    }
    jq -r '.rows[] | "\(.key) \(.count[0]) \(.count[1])",
        "\(.key) \(.delta_count)"' json >rows
    for want in "$@"; do
        grep -qxF -- "$want" rows ||
            echo "leak $pair: no '$want', but:" \
                "$(grep -F -- "${want%% *} " rows | tr '\n' ';')"
    done
}
both=('Leak$LeakyListener 500 10500' 'Leak$Session 300 5300'
    'java.lang.Integer 15000' 'Leak$ChainNode 100 7100'
    'Leak$Freed 3000 1000' 'Leak$Stable 1234 1234' 'Plugin 6 106'
    'java.net.URLClassLoader 3 53' 'java.util.ArrayList 5150')
leak 17_serial "${both[@]}" 'java.lang.Object[] 5250'
leak 8 "${both[@]}" 'java.lang.Object[] 5450'

# The rows that did not change stay away, unless all are asked for.
hprof-diff --format=json "$D/leak/leak_8_before.hprof" \
    "$D/leak/leak_8_after.hprof" | jq -r '.rows[] | select(.delta_count == 0
        and .delta_bytes == 0) | "unchanged row \(.key)"'
exit 0
