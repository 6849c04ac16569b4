# Several dumps in one file: --dump selects one. hprof-diff uses the last one by
# default.
# needs: pack text
for f in two-dumps two-dumps-102; do
    fixture $f >a
    for option in '' --dump=1 --dump=2; do
        # shellcheck disable=SC2086
        hprof-diff --format=json $option a | jq -c '.rows[] |
            select(.key == "com.acme.Order") | .count'
    done
    # The programs agree about a dump that does not exist. The rest of the file
    # was read, but it is not called valid.
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
    # an error in the file is also reported, as far as it is known
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
# ALLOC SITES, CPU SAMPLES and CPU TIME come after the heap dump of the same
# request. So the last ones before the next dump belong to the previous dump.
fixture agent --id-size=4 >a
hprof-convert --to=text a t
times() {
    printf 'CPU TIME (ms) BEGIN (total = 100) Tue Nov 14 22:13:20 2023\n'
    printf 'rank   self  accum   count trace method\n'
    printf '   1 50.00%% 50.00%%     %s   300001 com.acme.Order.take\n' "$1"
    printf 'CPU TIME (ms) END\n'
}
for what in samples times; do
    {
        sed '/^HEAP DUMP BEGIN/,$d' t
        for n in 1 2 3; do
            [ $n = 2 ] || sed -n '/^HEAP DUMP BEGIN/,/^HEAP DUMP END/p' t
            sed -n '/^SITES BEGIN/,/^SITES END/p' t |
                sed "s/ 440 *10 300001/ 440 1$n 300001/"
            if [ $what = times ]; then
                times $n
            else
                sed -n '/^CPU SAM/,/^CPU SAM.*END/p' t |
                    sed "s/ 30 300001/ 3$n 300001/"
            fi
        done
    } >$what.txt
    quiet hprof-convert --force $what.txt $what.hprof
done
for input in samples.txt samples.hprof times.txt times.hprof; do
    for option in --dump=1 --dump=2 ''; do
        # shellcheck disable=SC2086
        hprof-diff --by=site --measure=allocated --format=json $option \
            $input | jq -c '.rows[0] | [.key, .count[0]]'
        # shellcheck disable=SC2086
        hprof-diff --by=cpu --format=json $option $input |
            jq -c '.rows[0] | [.key, (.samples // .ms)[0], .calls // empty]'
    done
done
# those of the second dump do not belong to the first
fixture two-dumps >b
hprof-convert --force --to=text b t
sed -n '/^SITES BEGIN/,/^SITES END/p' times.txt >>t
hprof-diff --by=site --measure=allocated --dump=1 --format=csv t 2>&1 |
    tail -n 1
hprof-diff --by=site --measure=allocated --dump=2 --format=csv t 2>&1 | head -n 2
# As rows, each dump of a file has its number, which a file with one dump does
# not need. The same for all dumps together.
fixture two-dumps >b
fixture hotspot >one
{
    for option in --dump=1 --dump=2 ''; do
        # shellcheck disable=SC2086
        hprof-diff --format=rows $option b
    done
    hprof-diff --format=rows --dump=1 one
    hprof-diff --format=rows --dump=2 one 2>.err
    for option in --dump=1 --dump=2 ''; do
        # shellcheck disable=SC2086
        hprof-validate --format=rows $option b
    done
} >rows
jq -r 'select(.kind == "dump") | [.tool, .path, .dump, .verdict] | @tsv' rows
jq -c 'select(.class == "com.acme.Order") | [.path, .dump, .count]' rows
hprof-diff --format=tsv b | head -n 2 | awk '{print $1, $NF}'
hprof-validate --format=tsv one | awk '{print $1, $NF}'
# a HEAP DUMP begins a new dump, even if the segments before it have no end
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\1\0'
    for tag in 34 34 14 14; do
        printf "\\$tag"'\0\0\0\0\0\0\0\5\5\0\0\0\10'
    done
} >mixed
code hprof-validate --dump=9 mixed
grep -o 'the input has [0-9]*' .err
