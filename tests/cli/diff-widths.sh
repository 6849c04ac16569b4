# On a terminal of 50, 80, 100 and 160 columns no line is wider than the terminal,
# whatever the dump contains. Wide characters, such as Chinese ones, count two
# columns.
widest() { LC_ALL=C.UTF-8 wc -L <"$1"; }
while read -r name size; do
    fixture "$name" --id-size="$size" >dump
    for width in $(printf '%s\n' 50 80 100 160 | thin); do
        COLUMNS=$width hprof-diff dump >out 2>.err
        [ -s out ] || problem "$name: nothing"
        [ "$(widest out)" -le "$width" ] || problem "$width: $name: too wide"
        looked
    done
done < <(whole | awk '!seen[$1]++')
looked_at 180+

# The numbers of a suspect are on one line, in the same columns for all suspects. On
# a narrow terminal they have a line of their own, and the label is shortened. In a
# path, no line begins with an arrow.
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
fixture finding-one-owner >one
for width in 40 50 60 80 100; do
    for dumps in 'a b' one; do
        # shellcheck disable=SC2086
        COLUMNS=$width hprof-diff $dumps >out
        [ "$(widest out)" -le "$width" ] || problem "$width: $dumps: too wide"
        sed '/^what is unusual/,$d' out >suspects
        grep '^ *→' suspects && problem "$width: $dumps: an arrow begins a line"
        echo "$width: $dumps"
        grep -E -A1 '^[12]  ' suspects | grep -v -e '^--' -e '(static)' -e 'system class'
        looked
    done
done
looked_at 10
