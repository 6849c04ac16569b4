# A damaged dump gives exit status 1 and no output, for every kind of output.
# The only error that is accepted is an id that a class and an object share.
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
# The dump is damaged before the LOAD CLASS that uses the first STRING. The
# proof (the check of the stripped output) also stops at the damage, so it does
# not know that this STRING is a name. The message must still report the damage
# as the cause, and nothing is written to a pipe.
u4() { printf "\\x$(printf '%08x' "$1" | sed 's/../&\\x/g; s/\\x$//')"; }
{
    printf 'JAVA PROFILE 1.0.1\0'; u4 4; u4 0; u4 1000
    printf '\1'; u4 0; u4 5; u4 1; printf K
    printf '\xc'; u4 0; u4 1; printf '\x88'
    printf '\2'; u4 0; u4 16; u4 1; u4 16; u4 0; u4 1
} >a
for options in --strip-strings --shape-only '--strip-strings --keep-first=1
    --strip-arrays'; do
    # shellcheck disable=SC2086
    hprof-convert $options - <a 2>.err | cat >.out
    [ ! -s .out ] || echo "$options: something was written"
    grep -q 'offset 54: unknown sub-record 0x88' .err || cat .err
done
no_temp
