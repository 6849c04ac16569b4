# Measure how much --salvage recovers. Random changes (with fixed seeds) flip
# bits, delete and insert bytes, and replace lengths of instances.
# tests/survivors.c, which has a reader of its own, lists the objects and
# classes that no damage reached. All of them must be in the result. The result
# must be valid, and must not contain anything that was never an object.
#
# Each damaged place may leave one altered object, because nobody can know what
# its bytes were. (In real dumps with 18 million objects and 9,600 damaged
# places, 2 objects were missing and 1 was foreign.) Sanitizers are eight times
# slower and run a third of the cases.
case $BUILD in
*/release) seeds='1 2 3 4 5 6' least=190 ;;
*) seeds='1 2' least=60 ;;
esac
dumps=${HPROF_REAL_DUMPS:-$BUILD/../../../shared/dumps}
# survive DUMP KIND TIMES SEED: append the numbers of one run to ./sums
survive() {
    survivors damage "$2" "$3" "$4" "$1" plan >hurt || echo "damage $*"
    if ! hprof-convert --threads=2 --salvage --force hurt whole 2>.err; then
        echo "$*: $(cat .err)"
        return
    fi
    hprof-validate whole >.out 2>.err || echo "$*: not valid"
    survivors judge "$1" plan hurt whole >.out || echo "$*: not read"
    sed "s|^|$1 $2 $3 $4: |" .out >>sums
}
for world in 'hotspot 4' 'hotspot 8' 'sa 8' 'agent 4' 'art 4' 'mat 8' \
    'leak-after 8' 'many-objects 4'; do
    # shellcheck disable=SC2086
    set -- $world
    fixture "$1" --id-size="$2" >"$1$2"
    for kind in flip delete insert length; do
        for seed in $seeds; do
            survive "$1$2" $kind 1 $seed
        done
    done
done
survive many-objects4 mix 200 7
for name in agent/ag_8_all hotspot/rich_17_def hotspot/rich_8_32_def \
    hotspot/jhsdb_17 android/leak_service_binder leak/leak_8_before; do
    [ -e "$dumps/$name.hprof" ] || continue
    [ $least -gt 60 ] || [ $name = agent/ag_8_all ] || continue
    cp "$dumps/$name.hprof" real
    for kind in flip delete insert length; do
        survive real $kind 20 "${#name}"
    done
done
# Arrays that lost bytes and got the following bytes instead. At their seeming
# end roots follow by accident, or nothing does.
for run in 'leak/leak_8_before 41' 'leak/leak_8_before 57' \
    'hotspot/rich_8_32_def 43' 'hotspot/jhsdb_17 21' \
    'android/leak_service_binder 60'; do
    # shellcheck disable=SC2086
    set -- $run
    [ -e "$dumps/$1.hprof" ] || continue
    cp "$dumps/$1.hprof" real
    survive real delete 20 "$2"
done
awk -v least=$least '{
    runs++
    if ($11 > 0 || $9 > $13 || $7 > 0)
        print
}
END {
    if (runs < least)
        print runs " runs only"
}' sums
