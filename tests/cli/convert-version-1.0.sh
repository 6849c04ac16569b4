# Every conversion of a version 1.0 dump gives the same result as for the same
# dump in version 1.0.1. A plain copy stays version 1.0. Damage is refused.
# needs: pack text
for size in 4 8; do
    fixture ancient --id-size=$size >a
    fixture ancient-newer --id-size=$size >n
    hprof-validate --strict n >.out || echo "the newer one is not valid"
    quiet hprof-convert --profile=1.0.1 a b
    same b n
    rm b
    for option in --strip-arrays --strip-fields=int --shape-only --to=text \
        --to=ndjson --profile=1.0.2 --dump=1 --salvage --standard \
        '--keep=Mine#l --strip-arrays' '--to=text --strings'; do
        # shellcheck disable=SC2086
        hprof-convert -q $option a b || echo "$option: exit $?"
        # shellcheck disable=SC2086
        hprof-convert -q $option n c
        same_or_say "$option" b c
        # shellcheck disable=SC2086
        hprof-convert -q --threads=1 $option - <a | cmp - b
        rm b c
    done
    quiet hprof-convert a b
    same a b
    hprof-convert --compress=gzip - <a | gzip -dc | cmp - a
    hprof-convert --to=pack a p
    quiet hprof-convert --force p b
    same a b
    rm b p
    # a prefix is copied only if it ends with a record, and then completely
    n=$(wc -c <a)
    for ((i = 0; i < n; i += $(stride 7))); do
        head -c $i a >c
        hprof-convert --to=ndjson c d 2>.err
        status=$?
        [ $status -eq 1 ] || hprof-convert -q --profile=1.0.1 c |
            cmp -n 100 - n || echo "prefix of $i"
        [ $status -eq 1 ] || rm d
        [ ! -e d ] || echo "prefix of $i: something was left"
    done
    rm c
done
fixture ancient >a
hprof-convert --to=ndjson a 2>&1 >.out | sed 's/.*a: //'
head -c 900 a >c
code hprof-convert c b
sed 's/.*c: //' .err
left_over a c n
no_temp
