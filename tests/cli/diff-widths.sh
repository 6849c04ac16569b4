# On a terminal of 80, 100 and 160 columns no line is wider than the terminal,
# whatever the dump contains. Wide characters, such as Chinese ones, count two
# columns.
widest() { LC_ALL=C.UTF-8 wc -L <"$1"; }
while read -r name size; do
    fixture "$name" --id-size="$size" >dump
    for width in $(printf '%s\n' 80 100 160 | thin); do
        COLUMNS=$width hprof-diff dump >out 2>.err
        [ -s out ] || problem "$name: nothing"
        [ "$(widest out)" -le "$width" ] || problem "$width: $name: too wide"
        looked
    done
done < <(whole | awk '!seen[$1]++')
looked_at 180+
