# Several dumps in one file: --dump selects; diff takes the last by itself.
for f in two-dumps two-dumps-102; do
    fixture $f >a
    for option in '' --dump=1 --dump=2; do
        # shellcheck disable=SC2086
        hprof-diff --format=json $option a | jq -c '.rows[] |
            select(.key == "com.acme.Order") | .count'
    done
    # the programs say the same of a dump that is not there; what stands around
    # the dumps was read, but it is not called valid
    for program in hprof-validate hprof-diff hprof-convert; do
        code $program --dump=3 a
        cat .err
    done
    for format in text json junit github sarif rows; do
        code hprof-validate --dump=3 --format=$format a
        grep -io 'not checked: .*\|"verdict": *[a-z"]*\|no such dump:.*' .out
        grep -c 'there is no dump 3: the input has 2' .out
        grep -i 'unreadable$' .out
    done
    # an error that is there is told, too, and whatever is known of it
    head -c 100 a >cut
    code hprof-validate --dump=3 --format=rows cut
    jq -c 'select(.kind == "dump") | [.verdict, .errors, .error]' .out
    hprof-validate --format=json cut >known.json
    code hprof-validate --dump=3 --format=json --baseline=known.json cut
    grep -o '"verdict": [a-z"]*' .out
    code hprof-validate --strict a
    code hprof-validate --strict --dump=2 a
    hprof-validate --format=json a | jq -c '.files[0] |
        [.subrecords.CLASS_DUMP, .verdict]'
done
