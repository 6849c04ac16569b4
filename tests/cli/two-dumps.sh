# Several dumps in one file: --dump selects; diff takes the last by itself.
for f in two-dumps two-dumps-102; do
    fixture $f >a
    for option in '' --dump=1 --dump=2; do
        # shellcheck disable=SC2086
        hprof-diff --format=json $option a | jq -c '.rows[] |
            select(.key == "com.acme.Order") | .count'
    done
    code hprof-diff --dump=3 a
    code hprof-validate --strict a
    code hprof-validate --strict --dump=2 a
    hprof-validate --format=json a | jq -c '.files[0] |
        [.subrecords.CLASS_DUMP, .verdict]'
done
