# Damage: exit 1 and nothing written, by any way out. All errors are but one:
# an id that a class and an object share.
fixtures invalid | while read -r name size; do
    fixture "$name" --id-size="$size" >a
    looked
    want=1
    case $name in class-is-*) want=0 ;; esac
    for options in '' --strip-arrays --compress=zstd; do
        # shellcheck disable=SC2086
        hprof-convert $options a b >.out 2>.err
        status=$?
        [ $status -eq $want ] ||
            echo "$name $size $options: exit $status, not $want"
        [ $status -eq 0 ] || { [ -s .err ] || echo "$name: no message"; }
        [ $status -ne 0 ] || [ -s b ] || echo "$name $size: no output"
        [ $status -eq 0 ] && rm -f b
        left_over a
    done
done
looked_at 80+
no_temp
