# --estimate: the size of a heap in other JVMs
# needs: pack
need jq zstd
corpus=$(dirname "$2")/../../corpus
zstd -dqc "$corpus/shop-after.hprof.zst" >a
hprof-diff --estimate a
hprof-diff --estimate --wide a | grep 'Compact.*Compressed'
hprof-diff --estimate --format=csv a >csv
head -n 3 csv
hprof-diff --estimate --format=json a >json
jq -c '.layout, .objects, .bytes, .measured, .estimates[9]' json
# the formats have equal numbers
jq -r '",,\(.bytes),0", (.estimates[] | "\(.jdk),\(.options),\(.bytes)," +
    "\(.delta_bytes)")' json >want
sed 1d csv >got
same want got
# the same for any number of threads, for a pack and for a dump without payload
hprof-convert --to=pack a a.pack 2>.err
hprof-convert --shape-only a a.stripped 2>.err
plain_json json >want
for options in --threads=1 --threads=7 a.pack a.stripped; do
    set -- "$options"
    [ -e "$options" ] || set -- "$options" a
    hprof-diff --estimate --format=json "$@" | plain_json - >got
    same want got
done
hprof-diff --estimate --layout=mat --format=csv a >want
hprof-diff --estimate --layout=mat --format=csv a.pack >got
same want got
# the first line is the size that all other results have
{
    fixtures valid | awk "NR % 4 == 0" | thin
    echo class-dump-dup 8 # two class objects of one class
} | while read -r name size; do
    fixture "$name" --id-size="$size" >dump
    hprof-diff --quick --partial --format=json dump >all 2>.err || continue
    if ! hprof-diff --estimate --partial --format=json dump >json 2>.err; then
        grep -q 'needs a dump of a JVM' .err || cat .err
        continue
    fi
    read -r -d '' text <all
    [[ $text =~ \"objects\":\ ([0-9]+),\ \"bytes\":\ ([0-9]+), ]] || echo "$name: none"
    measured="${BASH_REMATCH[*]:1}"
    read -r -d '' text <json
    [[ $text =~ $'\n  "objects": '([0-9]+),$'\n  "bytes": '([0-9]+), ]] &&
        [ "${BASH_REMATCH[*]:1}" = "$measured" ] || echo "$name $size"
    looked
done
looked_at 20+
# options and dumps that cannot be combined with --estimate
for option in --by=package --format=html --format=tsv --retained \
    --why=java.lang.String --object=0x1000 --fillers=hide --heap=app \
    --fail-if='java.lang.String bytes>1'; do
    refused hprof-diff --estimate "$option" a
done
refused hprof-diff --estimate a a
fixture art >android
refused hprof-diff --estimate android
hprof-diff --estimate --format=json a >saved.json
refused hprof-diff saved.json
hprof-diff --format=json a >saved.json
refused hprof-diff --estimate saved.json
exit 0
