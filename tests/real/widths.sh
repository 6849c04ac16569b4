# widths.sh - check that no line is wider than a terminal of 80, 100 or 160
# columns. The script checks 45 results for dumps of several virtual machines.
cat >results <<'L'
android/leak_service_binder.hprof
ahat/RI.hprof
hotspot/rich_25_def.hprof
leak/leak_17_serial_before.hprof leak/leak_17_serial_after.hprof
suspects/ctx3-1.hprof.zst suspects/ctx3-2.hprof.zst
L
widest() { LC_ALL=C.UTF-8 wc -L <"$1"; }
seen=0
cd "$HPROF_REAL_DUMPS" || exit 1
out=$OLDPWD/out
while read -r files; do
    # shellcheck disable=SC2086 # one or two files
    set -- $files
    [ -e "${*: -1}" ] || continue
    object=$(hprof-diff --retained --format=json "$@" |
        jq -r '[.suspects[], .largest_owners[]?][0].object // empty')
    for option in --retained --by=path --by=thread --by=waste --by=dominator \
        --by=holder --by=package --why=java.lang.String --object="$object"; do
        # --object shows one dump
        [[ $option != --object* ]] || set -- "${*: -1}"
        for width in 80 100 160; do
            COLUMNS=$width hprof-diff "$option" "$@" >"$out" 2>/dev/null
            [ -s "$out" ] || echo "$option $*: nothing"
            [ "$(widest "$out")" -le "$width" ] ||
                echo "$option $*: wider than $width"
        done
        seen=$((seen + 1))
    done
done <"$OLDPWD/results"
[ "$seen" -ge 40 ] || echo "looked at $seen results"
exit 0
