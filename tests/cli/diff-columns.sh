# --columns chooses the columns of rows: largest, depth, native and others.
# needs: pack text
fixture leak-before >a
fixture leak-after >b
rows() {
    jq -c '.rows[] | [.key, .count, .largest, .depth, .native] | select(.[0] |
        test("acme|Bitmap|byte|Direct"))'
}
# the size of the largest array or instance; the depth of the nearest object
hprof-diff --columns=count,largest,depth --all --format=json a b >json
rows <json
jq -c '.columns, (.rows[0] | keys_unsorted)' json
# The depth is the length of the shortest path. No class is nearer than the
# object that refers to all its instances, and the targets of roots have depth
# 1.
jq -c '[.rows[] | .depth[1] | select(. == 1)] | length > 0' json
jq -c '[.rows[] | select(.depth[1] == 0 and .retained_count[1] > 0)]' json
# largest and count are enough for classes whose objects all have one size
hprof-diff --columns=largest,bytes --format=json b | jq -c '[.rows[] |
    select(.largest[0] > .bytes[0] or .largest[0] * .count[0] < .bytes[0])]'
# native memory belongs to its owner, not to objects that only describe it
for dump in native-android native-jvm; do
    fixture $dump >n
    hprof-diff --columns=count,bytes,native --format=json n >json
    rows <json
    jq -c '.total.native' json
    for key in package heap loader; do
        hprof-diff --by=$key --columns=native --format=csv n | grep -v ',0'
    done
done
fixture native-jvm --id-size=4 >n
hprof-diff --columns=native --format=json n | jq -c '.total.native'
fixture native-android >n
hprof-diff --heap='app*' --columns=native --format=csv n | grep -v ',0$'
hprof-diff --heap='image*' --columns=native --format=csv n | grep -v ',0$'
# the order is that of the only column, or that of --sort; the result says which
first() {
    hprof-diff --format=csv --top=1 "$@"
}
fixture native-android >n
first n
first --columns=native n
first --sort=native n
first --columns=count,native n
first --sort=native --columns=count n
first --columns=depth b
first --sort=depth --columns=bytes b
first --sort=largest b
first --columns=native n b | tail -n 1
first --sort=native n b b | tail -n 1
hprof-diff --sort=native --format=json n | jq -c .columns
refused hprof-diff --by=holder --sort=native n
refused hprof-diff --by=cpu --sort=depth n
# every format shows the chosen columns and no others
for columns in count bytes largest retained depth native count,depth,retained; do
    hprof-diff --columns=$columns --format=csv b | head -n 1
    hprof-diff --columns=$columns --format=csv a b | head -n 1
    hprof-diff --columns=$columns b | grep -m 1 -w class | sed 's/  */ /g'
done
hprof-diff --columns=count a b a | sed -n 's/  */ /g; /+count/p'
hprof-diff --columns=count --retained --format=csv a | head -n 1
hprof-diff --columns=depth b | grep total | sed 's/  */ /g'
hprof-diff --columns=native,largest --format=ndjson a b | sed 1d | jq -c '
    select(.native | length != 2)'
hprof-diff --columns=depth --format=html a | grep -c '"depth":'
# every kind of input
hprof-diff --columns=count,largest,depth,native --format=json b |
    plain_json - >want
for threads in 1 3; do
    hprof-diff --columns=count,largest,depth,native --threads=$threads \
        --format=json - <b | plain_json - >got
    same want got
done
cat b | hprof-diff --columns=count,largest,depth,native --format=json - |
    plain_json - >got
same want got
hprof-convert -q --to=pack b b.pack
hprof-diff --columns=count,largest,depth,native --format=json b.pack |
    plain_json - >got
same want got
# gates work as without --columns
hprof-diff --columns=depth --fail-if='com.acme.Order growth-count>5' a b >.out
echo $?
# saved results
hprof-diff --columns=largest,depth --format=json a >saved.json
hprof-diff --columns=largest,depth --format=json saved.json b | jq -c .rows >got
hprof-diff --columns=largest,depth --format=json a b | jq -c .rows >want
same want got
hprof-diff --by=package --columns=largest,depth --format=json a >saved.json
hprof-diff --by=package --columns=largest,depth --format=json saved.json b |
    jq -c .rows >got
hprof-diff --by=package --columns=largest,depth --format=json a b |
    jq -c .rows >want
same want got
refused hprof-diff --by=package --columns=native saved.json b
refused hprof-diff --columns=big a
refused hprof-diff --columns= a
refused hprof-diff --by=holder --columns=largest a
refused hprof-diff --by=cpu --columns=count a
fixture agent >sites
refused hprof-diff --by=site --sites=records --columns=native sites
# a requested column counts when rows are compared
fixture native-android >n
hprof-diff --columns=native,largest --format=json n |
    jq -c '.rows |= map(if .native[0] > 0 then .native = [1] else . end)' >less
hprof-diff --columns=native --format=csv less n
code hprof-diff --columns=native --exit-code less n
code hprof-diff --columns=largest --exit-code less n
code hprof-diff --columns=native --exit-code n n
# the total is of all heaps, also of those that were not saved
hprof-diff --heap='image*' --columns=native --format=json n >saved
hprof-diff --heap='image*' --columns=native --format=json saved n |
    jq -c .total.native
# the page always has the largest objects, and they are the same
hprof-diff --columns=largest,retained --format=json n |
    jq -c '.rows |= map(.largest = [1])' >least
code hprof-diff --retained --exit-code least n
code hprof-diff --retained --exit-code --format=html least n
# percent and average are computed from other columns: every format, order and
# gate
fixture leak-before >a
fixture leak-after >b
for format in csv tsv rows ndjson table; do
    hprof-diff --columns=count,bytes,percent,average --format=$format \
        --filter='com.acme.O*' b | plain_json - | sed 's/"dump_id[^,]*,//g' |
        cut -f 1-3,20- | grep -v '"kind":"dump"\|"tool"'
done
hprof-diff --columns=percent,average --all --format=json a b >json
jq -c '.columns, .total.percent, .total.average' json
# they agree with the bytes
jq -c '[.rows[] | [.bytes, .count, .average] | transpose[] |
    select(if .[1] > 0 then (.[0] / .[1] - .[2] | fabs) > 0.5
        else .[2] != 0 end)]' json
jq -c '.total.bytes as $all |
    [.rows[] | [.percent, .bytes, $all] | transpose[] |
    select((.[1] / .[2] * 100 - .[0] | fabs) > 0.0051)]' json
jq -c '[.rows[] | has("delta_percent")] | any' json
hprof-diff --columns=average --format=csv a b | head -n 1
first --sort=percent b
first --sort=average b
hprof-diff --by=dominator --columns=retained,percent --top=2 b | sed -n '/ % /,$p'
hprof-diff --by=holder --columns=percent --top=1 --format=csv b
hprof-diff --columns=percent --format=html b | grep -c '"key":"percent"'
for gate in 'com.acme.Order percent>74.82' 'com.acme.Order percent>74.9%' 'total percent>99' \
    'total percent>100'; do
    code hprof-diff --top=1 --fail-if="$gate" b
    grep 'FAILED\|passed' .out
done
refused hprof-diff --fail-if='* average>5' b
refused hprof-diff --fail-if='* percent>5MB' b
# a saved result need not contain them
hprof-diff --format=json a >plain.json
hprof-diff --columns=percent,average --format=csv plain.json b | head -n 3
