# The rule unreachable does not report objects to which only fields of
# java.lang.Class refer, which dumps of HotSpot do not list. The number of
# unreachable objects is that of hprof-diff, without class objects.
need jq
fixture hidden-fields >dump
fixture hidden-fields --id-size=8 >wide
fixture hidden-fields-android >android
unreachable() {
    hprof-validate --level=graph --format=json "$@" |
        jq -c '[.files[].rules[] | select(.rule == "unreachable") | .count]'
}
for name in dump wide android; do
    unreachable $name
    unreachable --threads=1 - <$name
done
hprof-validate --level=graph --format=json --max-examples=20 dump |
    jq -r '.files[].rules[] | select(.rule == "unreachable") |
        .examples[].message'
