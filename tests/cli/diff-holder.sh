# --by=holder shows which references keep which objects.
# needs: pack
need jq
top=$(dirname "$2")/../..
rows() {
    hprof-diff --by=holder --format=json "$@"
}
# compare with a brute-force count, for the dumps of every writer
worlds | while read -r name size; do
    fixture "$name" --id-size="$size" >dump
    "$top/tests/holders" dump >want || problem "$name $size: no oracle"
    sed "s/^/$name.$size.json\t/" want >>wanted
    rows --dump=1 --normalize=off dump >"$name.$size.json"
    looked
done
looked_at 21
jq -r '.rows[] | [input_filename, .key, .count[0], .references[0]] | @tsv' \
    *.json | LC_ALL=C sort >got
LC_ALL=C sort wanted >want
same want got
rm -f *.json
# roots of every kind, with the same names as --by=dominator
fixture several-roots >roots
"$top/tests/holders" roots >want
rows --normalize=off roots |
    jq -r '.rows[] | [.key, .count[0], .references[0]] | @tsv' |
    LC_ALL=C sort >got
same want got
grep -c '^(.*Roots' got
hprof-diff --by=dominator --format=json roots | jq -r '.rows[].key |
    select(contains("Roots") and (startswith("class") | not))' >owners
while read -r row; do
    grep -qF "(${row% *}) → ${row##* }"$'\t1\t' got || problem "$row"
    looked
done <owners
looked_at 13
# a leak: the static field, and the objects that grew below it
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
rows a b >ab.json
jq -c '.rows[:3][] | [.key, .count, .bytes, .delta_count, .references,
    .delta_references]' ab.json
rows --all --filter='Shop*(static)' a b | jq -c '.rows[] | [.key, .count]'
jq -c '.total, .dumps[1].objects' ab.json
# if one field refers to all objects of a class, its bytes are those of the
# class
hprof-diff --format=json b >class.json
jq -c --slurpfile class class.json '
    ($class[0].rows | map({(.key): .bytes[0]}) | add) as $of |
    .rows[2] | [.key, .bytes[1], $of[.key | sub(".* → "; "")]]' ab.json
# a pattern can match the row key, the holder, or the class of the target
hold=$(jq -r '.rows[0].key' ab.json)
for glob in "$hold" "${hold% → *}" "${hold#* → }" 'no such'; do
    rows --filter="$glob" b | jq '.rows | length > 0'
    hprof-diff --by=holder --fail-if="$glob growth-count>5" a b >.out 2>.err
    echo $?
done
hprof-diff --by=holder --fail-if="$hold growth-bytes>100000MB" a b >.out
echo $?
# the columns of the other formats
hprof-diff --by=holder --format=csv a b | head -n 1
hprof-diff --by=holder --format=csv a | head -n 1
hprof-diff --by=holder --top=1 a b | sed -n 's/  */ /g; /+count/p; /Shop/p'
hprof-diff --by=holder --format=ndjson a b | sed 1d | jq -c '.references' |
    cmp - <(jq -c '.rows[].references' ab.json)
hprof-diff --by=holder --format=html a b | grep -c '"references":'
# the same for every kind of input, and for several dumps
rows b | plain_json - >want
for threads in 1 3; do
    rows --threads=$threads - <b | plain_json - >got
    same want got
done
cat b | rows - | plain_json - >got
same want got
gzip -c b | rows - | plain_json - >got
same want got
hprof-convert -q --to=pack b b.pack
rows b.pack | plain_json - >got
same want got
rows a b b a | jq -c '.rows[] | [.count[1] - .count[2], .references[0] -
    .references[3]] | select(. != [0, 0])'
# if an id was first dumped as an object, the class with this id has no
# references
for dump in class-is-order class-is-later; do
    fixture $dump >twin
    rows --filter='(super class)*' twin | jq -c '.rows[].references'
done
# a saved result
rows a >saved.json
rows saved.json b | jq .rows >got
jq .rows ab.json >want
same want got
rows --top=3 a >cut.json
refused hprof-diff --by=holder cut.json b
rows --reachability=strong a >strong.json
jq -c .reachability saved.json strong.json
refused hprof-diff --by=holder strong.json a
code hprof-diff --by=holder --reachability=strong --exit-code strong.json a
# weak references do not count unless --all-references is given
rows b --filter='java.lang.ref.Reference.referent' --reachability=strong |
    jq '.rows | length'
rows b --filter='java.lang.ref.Reference.referent' --reachability=all |
    jq '.rows | length > 3'
refused hprof-diff --by=holder --heap=app a
refused hprof-diff --by=holder --fillers=hide a
refused hprof-diff --by=holder --retained a
refused hprof-diff --by=holder --fail-if='total count>1' a

# a field without a name does not get the name of the field before it
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\0'
    printf '\1\0\0\0\0\0\0\0\5\0\0\0\1A\1\0\0\0\0\0\0\0\5\0\0\0\2a'
    printf '\2\0\0\0\0\0\0\0\20\0\0\0\1\0\0\0\20\0\0\0\0\0\0\0\1'
    printf '\14\0\0\0\0\0\0\0\200\40\0\0\0\20'
    head -c 28 /dev/zero
    printf '\0\0\0\10\0\0\0\0\0\2\0\0\0\2\2\0\0\0\11\2'
    printf '\41\0\0\0\40\0\0\0\0\0\0\0\20\0\0\0\10\0\0\0\60\0\0\0\100'
    printf '\41\0\0\0\60\0\0\0\0\0\0\0\20\0\0\0\10\0\0\0\0\0\0\0\0'
    printf '\41\0\0\0\100\0\0\0\0\0\0\0\20\0\0\0\10\0\0\0\0\0\0\0\0'
} >nameless
rows nameless 2>.err | jq -r '.rows[] | [.key, .count[0]] | @tsv' | sort
# An instance that is shorter than its class says has the fields that are there.
# Of objects of 4, 12 and 0 bytes, two have the first field and one has the
# second.
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\0'
    printf '\1\0\0\0\0\0\0\0\5\0\0\0\1A\1\0\0\0\0\0\0\0\5\0\0\0\2a'
    printf '\1\0\0\0\0\0\0\0\5\0\0\0\3b'
    printf '\2\0\0\0\0\0\0\0\20\0\0\0\1\0\0\0\20\0\0\0\0\0\0\0\1'
    printf '\14\0\0\0\0\0\0\0\170\40\0\0\0\20'
    head -c 28 /dev/zero
    printf '\0\0\0\10\0\0\0\0\0\2\0\0\0\2\2\0\0\0\3\2'
    printf '\41\0\0\0\40\0\0\0\0\0\0\0\20\0\0\0\4\0\0\0\60'
    printf '\41\0\0\0\60\0\0\0\0\0\0\0\20\0\0\0\14\0\0\0\40\0\0\0\40\0\0\0\40'
    printf '\41\0\0\0\100\0\0\0\0\0\0\0\20\0\0\0\0'
} >odd
rows odd --partial 2>.err | jq -r '.rows[] | [.key, .count[0]] | @tsv' | sort
# a narrow table shortens the classes and keeps the name of the field
zstd -q -dc "$(dirname "$2")/../../corpus/shop-after.hprof.zst" >shop
for width in 80 68 58; do
    COLUMNS=$width hprof-diff --by=holder --top=0 \
        --filter='*Map*' shop | grep -F -e .table -e .value -e .next |
        head -n 5
done
# An object counts in several rows, so the tables have no sum of objects and sizes.
# A table of classes has.
need node
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >shop
for key in holder root class; do
    hprof-diff --by=$key --top=0 shop | tail -1
    hprof-diff --by=$key --format=html shop >$key.html
    # the page without JavaScript, and what the first lines say of the graph
    sed -n 's/<[^>]*>/ /g; s/^ *all rows *//p' $key.html
    hprof-diff --by=$key --quick --top=1 shop 2>&1 | grep 'not known'
    page_says $key.html \
        'sumCells(columnsOf(viewNow()).slice(1).filter(c => c.sum), DATA.rows)'
done
said_by_pages
