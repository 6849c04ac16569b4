# --strip-arrays of arrays over 8 MiB, which are read in pieces of one megabyte.
# --keep-first counts from the beginning of the array, not of each piece.
# Everything after these elements becomes zero.
u4() { printf "\\x$(printf '%08x' "$1" | sed 's/../&\\x/g; s/\\x$//')"; }
# sevens N / zeros N: write N bytes
sevens() { head -c "$1" /dev/zero | tr '\0' '\7'; }
zeros() { head -c "$1" /dev/zero; }
# dump ELEMENTS TYPE WIDTH KEPT: write a dump of one array in which only the
# bytes of the first KEPT elements are 7
dump() {
    printf 'JAVA PROFILE 1.0.2\0'
    u4 4; u4 0; u4 1000
    printf '\x1c'; u4 0; u4 $((14 + $1 * $3))
    printf '\x23'; u4 4096; u4 0; u4 "$1"; printf "\\x$2"
    sevens $(($4 * $3))
    zeros $((($1 - $4) * $3))
    printf '\x2c'; u4 0; u4 0
}
# elements of one, four and eight bytes
for array in '10000000 08 1' '2500000 0a 4' '1250000 0b 8'; do
    # shellcheck disable=SC2086
    set -- $array
    dump "$@" "$1" >a
    for kept in 0 5 $((($1 * 2) / 3)) $(($1 - 1)); do
        dump "$@" "$kept" >want
        for threads in 1 2; do
            hprof-convert --strip-arrays --keep-first="$kept" \
                --threads=$threads a b 2>.err || cat .err
            echo "$1 elements of $3, $kept kept: $(same want b)"
            rm -f b
        done
        looked
    done
    hprof-convert --strip-arrays --keep-first="$kept" - <a 2>.err |
        cmp want -
done
looked_at 12
