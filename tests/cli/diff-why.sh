# --why shows as a tree what keeps the objects of some classes alive
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
hprof-diff --why='Shop$CartListener' a b | sed '1,/kept by/d'
# several branches, with the number of objects on each
hprof-diff --why='java.lang.Integer' --format=json a b >ab.json
jq -c '.why | .of, (.tree[] | [.step, .count, .grew, (.children | length)])' \
    ab.json
jq -c '.rows[] | [.key, .count]' ab.json
# what the single container at a step is
jq -c '[.why.tree[] | .. | objects | select(.label) | [.step, .label]][]' ab.json
# the children of a step add up, and the sum of all is the class's number of
# objects
jq -c '[.. | objects | select(.children) | select(.children != []) |
    .count[1] == ([.children[].count[1]] | add)] | all' ab.json
hprof-diff --all --format=json --filter='java.lang.Integer' a b >class.json
jq -c '.rows[0].count' class.json
jq -c '.total.count, [.why.tree | map(.count) | transpose[] | add]' ab.json
# any number of threads, from a pipe, one dump, as NDJSON
hprof-diff --why='java.lang.*' --format=json b | plain_json - >want
for threads in 1 3; do
    cat b | hprof-diff --why='java.lang.*' --threads=$threads \
        --format=json - | plain_json - >got
    same want got
done
hprof-diff --why='Shop$CartListener' --format=ndjson a b >lines
head -n 1 lines | jq -c '.why.tree[].step'
sed 1d lines | jq -c '.key'
hprof-diff --why='Shop$CartListener' --format=csv a b
hprof-diff --why='java.lang.*' --top=2 b | sed '1,/  kept by$/d' | wc -l
# --retained also finds suspects, which --why does not change; --why alone finds
# none
hprof-diff --retained --format=json a b | jq -c '.suspects' >want
hprof-diff --retained --why='java.lang.*' --format=json a b |
    jq -c '.suspects' >got
same want got
jq -c 'length' got
hprof-diff --retained --why='java.lang.Integer' a b |
    grep -c '^[1-9]  .* of the growth'
hprof-diff --why='java.lang.*' --format=json a b | jq -c '.suspects'
# an object by its id, and a class
hprof-convert --to=ndjson b | grep -F -e '"Shop$EventBus"' \
    -e '"Shop$CartListener"' >lines
jq -r 'select(.record == "INSTANCE_DUMP" and .class == "Shop$EventBus") | .id' \
    lines | head -n 1 >id
hprof-diff --why="$(cat id)" --format=json b | jq -c '.rows[] | [.key, .count]'
# an id that is in no dump is a mistake; it may be in only one of the dumps
code hprof-diff --why=0x12345 b
cat .err
grep -F '"INSTANCE_DUMP"' lines | grep -F '"class":"Shop$CartListener"' |
    tail -n 1 | jq -r .id >id
hprof-diff --why="$(cat id)" --format=json a b 2>.err | jq -c '.total.count'
hprof-diff --why="$(cat id)" --format=rows a b 2>.err |
    jq -r 'select(.kind == "dump") | .verdict'
echo "$?"
code hprof-diff --why=0x12345 --format=rows a b
cat .err
jq -r 'select(.kind == "dump") | .verdict' .out
# a decimal id, as other tools write it
hprof-diff --why="$(cat id)" --format=json b | jq -c .rows >want
hprof-diff --why="$(($(cat id)))" --format=json b | jq -c .rows >got
same want got
code hprof-diff --why=12345 b
cat .err
for what in 0x 0x7fzz 0x11111111122222222 18446744073709551616; do
    refused hprof-diff --why=$what b
done
code hprof-diff --why='0x7fz*' b
hprof-diff --why='class Shop' --format=json b | jq -c '.rows[] | [.key, .count]'
# a static field on the path comes after the class that declares it
fixture nested-loaders-before >nested
hprof-diff --why='app.Loader' nested | sed '1,/kept by/d' | head -n 3
# a path with the largest number of steps
fixture nested-arrays >deep
for format in json ndjson html; do
    code hprof-diff --why='java.lang.Object[][]' --format=$format deep
done
hprof-diff --why='java.lang.Object[][]' --format=json deep |
    jq -c '[.. | objects | select(.step) | .step] | length, .[-1]'
# no match; not with some options; saved results have no graph
code hprof-diff --why='no.such.Class' b
cat .err
refused hprof-diff --why='*' --by=package b
refused hprof-diff --why='*' --heap=app b
hprof-diff --by=path --format=json a >saved.json
code hprof-diff --why='*' saved.json b
cat .err
hprof-diff --why='*' --format=json a >saved.json
code hprof-diff --by=path saved.json b
cat .err
# In both dumps, 40 orders have moved from another path, which every format
# shows. The other orders are new: 30 in the first dump, 5 in the second.
fixture moved-before >moved-1
fixture moved-and-new >moved-2
fixture moved-and-grown >moved-3
for dump in moved-2 moved-3; do
    hprof-diff --why='*.Order' moved-1 $dump >table
    sed '1,/kept by/d' table
    hprof-diff --why='*.Order' --format=json moved-1 $dump >json
    jq -c '[.why.tree[] | recurse(.children[])][] |
        [.step, .count, .grew, .moved]' json
    jq -c '.rows[] | [.key, .moved]' json
    hprof-diff --why='*.Order' --format=ndjson moved-1 $dump | sed 1d |
        jq -c '[.key, .moved]' >got
    jq -c '.rows[] | [.key, .moved]' json >want
    same want got
    hprof-diff --why='*.Order' --format=csv moved-1 $dump | grep -v thread |
        cut -d, -f 1,14-
    hprof-diff --why='*.Order' --format=html moved-1 $dump |
        grep -o '"moved":{[^}]*}' | sort | uniq -c
    hprof-diff --why='*.Order' --format=folded moved-1 $dump 2>&1 >/dev/null
done
