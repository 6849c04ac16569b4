# Objects have fields that no class dump describes, so their references are
# unknown. Every result that depends on references says so, and is otherwise
# complete.
fixture instance-class >class
# an object whose superclass is missing
fixture leak-before --id-size=8 >super
at=$(hprof-convert --to=ndjson super | jq 'select(
    .record == "CLASS_DUMP" and .name == "com.acme.Order") | .offset')
printf '\377' | dd of=super bs=1 seek=$((at + 13)) conv=notrunc status=none
# each row key, with and without references
for f in class super; do
    for how in --by=class --by=heap --retained --by=holder --by=dominator \
        --by=path --why='no.such.Class' --columns=depth; do
        code hprof-diff $how --format=json $f
        cat .err
        jq -c '.dumps[].undescribed' .out
    done
done
# rows for databases say so in the row of the dump
for f in class super hotspot; do
    [ $f != hotspot ] || fixture $f >$f
    hprof-diff -q --format=rows $f | jq -c '[.kind, .undescribed_objects,
        .undescribed_classes]' | sort | uniq -c
    hprof-diff -q --format=tsv $f | awk -F '\t' 'NR == 1 {
        for (i = 1; i <= NF; i++)
            at[$i] = i
    } $1 == "dump" { print $at["undescribed_objects"],
        $at["undescribed_classes"] }'
done
# saved results and gates: what they do not count is reported, and the status
# stays the same
for how in --by=dominator --by=holder --by=class; do
    hprof-diff $how --format=json class >saved.json
    code hprof-diff $how --exit-code --fail-if='* growth-count>1000000' \
        saved.json class
    cat .err
    grep -o 'fields of.*\|passed.*\|   *does not count .*' .out
done
code hprof-diff --retained --fail-if='total growth-retained>1GB' class class
grep -A 1 passed .out
hprof-diff -q --retained --format=html class | grep -o 'fields of 1 object not' |
    sort -u
jq -c '.dumps[].undescribed.objects = "1"' saved.json >evil.json
code hprof-diff evil.json class
cat .err
# no such message for complete dumps
for f in hotspot art; do
    fixture $f >fine
    hprof-diff --retained --format=json fine | jq -c '.dumps[].undescribed'
    hprof-convert --to=ndjson --edges --graph fine | grep -c LIMITS
done
# conversions: the last line, for any number of threads, and a warning
for how in --edges --graph '--edges --graph' --elements=none; do
    code hprof-convert --force --to=ndjson $how class out
    cat .err
    grep LIMITS out || :
    tail -n 1 out | jq -c .record
    hprof-convert --to=ndjson $how --threads=1 - <class 2>/dev/null |
        same out -
done
code hprof-convert --to=tables class tables
cat .err
