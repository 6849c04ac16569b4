# NDJSON with no elements or only the first elements of primitive arrays, and
# with the values of Strings. Every line must be complete, also for damaged
# dumps.
# needs: text
need jq
fixture hotspot >a
hprof-convert --to=ndjson a all
for n in none 0 1 3 1000000; do
    hprof-convert --to=ndjson --elements=$n a some.$n
    jq -c --argjson n "${n/none/-1}" 'if .record != "PRIMITIVE_ARRAY_DUMP"
        then . elif $n < 0 then del(.elements)
        else .elements |= .[:$n] end' all >want
    jq -c . some.$n >got
    same want got
done
jq -c 'select(.record == "PRIMITIVE_ARRAY_DUMP") |
    [.element_count, has("elements")]' some.none | sort -u | head -n 3
# sevens FILE: remove repeated elements, which jq would read slowly
sevens() {
    sed 's/,7//g; s/,null//g' "$1"
}
# arrays over 8 MiB are read in pieces: 9,000,000 bytes, then 2,200,000 ids
u4() { printf "\\x$(printf '%08x' "$1" | sed 's/../&\\x/g; s/\\x$//')"; }
{
    printf 'JAVA PROFILE 1.0.2\0'
    u4 4; u4 0; u4 1000
    printf '\x1c'; u4 0; u4 $((14 + 9000000))
    printf '\x23'; u4 4096; u4 0; u4 9000000; printf '\x08'
    head -c 9000000 /dev/zero | tr '\0' '\7'
    printf '\x1c'; u4 0; u4 $((17 + 8800000))
    printf '\x22'; u4 5000000; u4 0; u4 2200000; u4 0
    head -c 8800000 /dev/zero
    printf '\x2c'; u4 0; u4 0
} >long
hprof-convert --to=ndjson long lines
for n in none 0 5 2999999 8999999; do
    hprof-convert --threads=2 --to=ndjson --elements=$n --force long some
    # count the commas of the line: between elements, and a few between members
    for record in PRIMITIVE OBJECT; do
        grep -a "\"record\":\"${record}_ARRAY" some >line
        echo "$record $(grep -c '"elements":\[' line)" \
            "$(tr -cd , <line | wc -c)"
    done
done
# Strings have the values that --to=text --strings gives
hprof-convert --to=ndjson --strings a strings
hprof-convert --to=text --strings a text
jq -r 'select(.value != null) | .value | tojson' strings | sort >got
grep -o 'value=".*")$' text | sed 's/^value=//; s/)$//' | sort >want
same want got
jq -c 'del(.value)' strings >got
jq -c . all >want
same want got
hprof-convert --to=ndjson --strings - <a | cmp - strings
code hprof-convert --elements=5 a out
code hprof-convert --to=ndjson --elements=five a out
code hprof-convert --strings a out
# A truncated dump: complete lines up to the damage, and exit status 1. If it is
# compressed, the same lines come first. A line for the array that is truncated may
# follow, and this line is also complete.
gzip -1 -nc long >long.gz
size=$(stat -c %s long.gz)
for cut in 9100000 17700000; do
    head -c $cut long >cut
    for how in '' '--elements=none' '--threads=1'; do
        hprof-convert --to=ndjson $how cut >out 2>.err
        echo "$? $(tail -c 1 out | od -An -tx1) $(sevens out |
            jq -c .record | tail -n 1)"
    done
    gzip -1 -nc cut >cut.gz
    hprof-convert --to=ndjson cut.gz >more 2>.err
    echo "$? $(tail -c 1 more | od -An -tx1)"
    head -c "$(wc -c <out)" more | cmp - out
    sevens more | jq -c . >.out 2>.err || echo "a line is no JSON"
    looked
done
# The first pass notices that a compressed file is truncated, so hprof-convert
# writes no line. Each file is converted in two of the four ways: the first two,
# then the last two.
ways=('' --elements=none --threads=1 --elements=3)
n=0
for part in 50 70 80 90 95; do
    head -c $((size * part / 100)) long.gz >cut.gz
    for way in "${ways[n * 2 % 4]}" "${ways[n * 2 % 4 + 1]}"; do
        hprof-convert --to=ndjson $way cut.gz >out 2>.err
        echo "$? $(wc -c <out) $(sed 's/.*: //' .err)"
        looked
    done
    n=$((n + 1))
done | sort | uniq -c
looked_at 12
hprof-convert --to=text cut >out 2>.err
echo "$? $(tail -c 1 out | od -An -tx1)"
fixture cut-instance >cut
hprof-convert --to=ndjson --compress=gzip cut 2>.err | gzip -dc |
    jq -c .record | tail -n 1
left_over a all some* want got line long lines strings text cut out more long.gz cut.gz
