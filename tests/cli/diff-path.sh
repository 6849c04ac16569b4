# --by=path shows heap growth by path. Every reachable object is on one path.
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
hprof-diff --by=path --format=json a b >ab.json
jq -c '.rows[] | [.key, .count, .bytes, .delta_retained_bytes, .new]' ab.json
# only the outermost paths, unless --all is given
hprof-diff --by=path --all --format=json a b >all.json
jq -c '[.rows[].key | select(startswith("Shop.BUS"))] | sort[]' all.json
# all rows of a dump add up to what is reachable, for any number of threads and
# from a pipe
for dump in a b; do
    hprof-diff --by=path --format=json $dump >json
    jq -c '([.rows[].count[0]] | add) == .dumps[0].reachable.objects,
        ([.rows[].bytes[0]] | add) == .dumps[0].reachable.bytes,
        .total.count[0] == .dumps[0].reachable.objects' json
done
hprof-diff --by=path --format=json b | plain_json - >want
for threads in 1 3; do
    cat b | hprof-diff --by=path --threads=$threads --format=json - |
        plain_json - >got
    same want got
done
# the rows of a JSON result without the labels of suspects, because a saved result
# has no graph in which suspects could be found
path_rows() {
    json_rows "$@" | sed 's/"label": "[^"]*", //'
}
# the row of a suspect has its label
jq -c '.rows[] | select(.label) | [.key, .label]' ab.json
jq -c '.rows as $rows | [.suspects[] | .path as $path | .label ==
    ($rows[] | select(.key == $path) | .label)]' ab.json
hprof-diff --by=path a b | grep -oE '^ +\((list|map) of .*'
# a saved result, three dumps, other formats, gates
hprof-diff --by=path --format=json a >saved.json
hprof-diff --by=path --format=json saved.json b | path_rows >got
path_rows ab.json >want
same want got
hprof-diff --by=path --format=json a b b | jq -c '[.rows[].grows] | unique'
hprof-diff --by=path --format=json a a b |
    jq -c '.rows[0] | [.key, .count, .grows, .new]'
hprof-diff --by=path --format=ndjson a b | sed 1d | jq -c .key >got
jq -c '.rows[].key' ab.json >want
same want got
hprof-diff --by=path --format=csv a b | cut -d, -f 1-3 | head -n 3
code hprof-diff --by=path --fail-if='Shop.* growth-retained>1MB' a b
code hprof-diff --by=path --fail-if='Shop.* growth-retained>1MB' \
    --ignore-path='Shop.BUS*' a b
hprof-diff --by=path --ignore-path='Shop.BUS*' --ignore-path='*Map*' \
    --format=json a b | jq -c '.rows[].key'
# objects that got a shorter path: the row says where they were before
fixture moved-before >moved-1
fixture moved-after >moved-2
hprof-diff --by=path --format=json moved-1 moved-2 |
    jq -c '.rows[] | select(.delta_retained_bytes > 0) |
        [.key, .delta_count, .moved]'
hprof-diff --by=path moved-1 moved-2 | grep -A 2 '^moved'
hprof-diff --by=path moved-1 moved-2 | grep -o 'B  moved  .*'
hprof-diff --by=path --format=csv moved-1 moved-2 | cut -d, -f 1,14-
hprof-diff --by=path --format=json a b | jq -c '[.rows[].moved] | unique'
# formats that do not mark rows
for format in markdown sarif junit github folded pprof speedscope; do
    hprof-diff --by=path --format=$format moved-1 moved-2 2>&1 >.out
done
# In both dumps, 40 orders have moved from another path. The new orders do not
# count as moved: 30 on a stack in the first dump, 5 in the list in the second.
fixture moved-and-new >moved-3
fixture moved-and-grown >moved-4
for dump in moved-3 moved-4; do
    hprof-diff --by=path --format=json moved-1 $dump |
        jq -c '.rows[] | select(.delta_retained_bytes > 0) |
            [.key, .delta_retained_count, .new, .moved]'
done
fixture leak-before >before
fixture leak-after >after
hprof-diff --by=path --format=json before after |
    jq -c '.rows[] | [.key, .delta_count, .moved]'
# two classes with equal numbers of objects on the first path are matched in the
# order of the paths
fixture together-before >together-1
fixture together-after >together-2
hprof-diff --by=path --format=json together-1 together-2 |
    jq -c '.rows[].moved | select(.)'
# paths with equal texts: what several of their objects keep alive counts once
fixture nested-loaders-before >nested-1
fixture nested-loaders-after >nested-2
hprof-diff --by=path --all --format=json nested-1 nested-2 |
    jq -c '.rows[] | [.key, .count, .retained_count]'
# and such paths are not nested in each other
hprof-diff --by=path --format=json nested-1 nested-2 |
    jq -c '.rows[] | [.key, .delta_count, .delta_retained_count]'
hprof-diff --why='app.Loader' --format=json nested-1 nested-2 |
    jq -c '.rows[] | [.key, .count, .retained_count]'
# nothing grew
hprof-diff --by=path --format=json a a | jq -c .rows
refused hprof-diff --by=path --heap=app a
refused hprof-diff --ignore-path='*' a
refused hprof-diff --why='*' --ignore-path='*' a
# a saved result gives the same as its dump, also for rows with few bytes or
# none
fixture large-before >large-1
fixture large-after >large-2
fixture light-before >light-1
fixture light-after >light-2
fixture plugins-before >plugins-1
fixture plugins-after >plugins-2
fixture moved-loader-before >loader-1
fixture moved-loader-after >loader-2
for dump in a light-1 nested-2 plugins-1 plugins-2; do
    hprof-diff --by=path --format=json $dump >$dump.json
done
# two dumps, and their numbers of rows without and with --all
while read -r x y rows; do
    for dump in $x $y; do
        [ -s $dump.json ] || hprof-diff --by=path --format=json $dump >$dump.json
    done
    for all in "" --all; do
        hprof-diff --by=path $all --format=json $x $y | path_rows >want
        for saved in "$x.json $y" "$x $y.json" "$x.json $y.json"; do
            hprof-diff --by=path $all --format=json $saved | path_rows >got
            same_or_say "$saved $all" want got
            looked
        done
        [ "$(wc -l <want)" = "${rows%% *}" ] ||
            problem "$x $y $all: $(wc -l <want) rows, not ${rows%% *}"
        rows=${rows#* }
    done
done < <(thin <<'END'
large-1 large-2 1 32
plugins-1 plugins-2 1 7
nested-1 nested-2 1 6
large-2 large-1 1 32
light-1 light-2 1 32
a b 6 766
loader-1 loader-2 2 8
before after 1 30
moved-1 moved-2 2 32
moved-2 moved-1 2 32
together-1 together-2 3 36
nested-2 nested-1 1 6
plugins-2 plugins-1 1 7
loader-2 loader-1 2 8
END
)
looked_at 84
# the row says what keeps the class of a static field alive
jq -c '.rows[] | select(.within) | [.key, .within]' nested-2.json \
    plugins-2.json
for within in '["JNI global x"]' '["\u001b[31m"]' '[7]' '"nothing"' \
    '["app.Plugin.held (static) → A.b → C", "→ ", "[*]", " (static) → "]'; do
    jq ".rows[].within = $within" plugins-2.json >odd.json
    code hprof-diff --by=path odd.json plugins-1.json
    code hprof-diff --by=path plugins-1 odd.json
done
gate='* growth-count>0'
code hprof-diff --by=path --fail-if="$gate" light-1 light-2
code hprof-diff --by=path --fail-if="$gate" light-1.json light-2
hprof-diff --by=path --format=json light-1.json light-2 |
    jq -c '.rows[] | [.key, .count, .bytes, .new]'
# In a dump of more than a million objects, small paths share one row. So the
# growth of these paths is uncertain: by 128 objects and 8 KB here.
path='Shop.last (static) → Shop$Session'
hprof-diff --by=path --format=json a |
    jq --arg path "$path" '(.rows[] | select(.key == $path) | .key) |=
        "(paths of less than a millionth)" |
        .dumps[0].objects = 134217728 + (.dumps[0] |
            .unreachable.objects + .hidden_fields.objects) |
        .dumps[0].reachable = {objects: 134217728, bytes: 8589934592}' \
        >small.json
for gate in "growth-count>1250" "growth-count>1240" \
    "growth-retained>1100%" "growth-retained>600%"; do
    for dump in a small.json; do
        code hprof-diff --by=path --fail-if="$path $gate" $dump b
    done
done
# this row has other paths in each dump, so it has not grown
jq '.dumps[0].reachable.bytes = 1048576' small.json >other.json
code hprof-diff --by=path --fail-if='(paths of * growth-count>0' b other.json
# of two saved results with that row only the sum of all small paths is
# compared: it does not matter which of them are in the row
path='Shop.last (static) → Shop$Session.cart → Shop$Cart'
hprof-diff --by=path --format=json a |
    jq '.dumps[0].objects = 134217728 + (.dumps[0] |
            .unreachable.objects + .hidden_fields.objects) |
        .dumps[0].reachable = {objects: 134217728, bytes: 8589934592}' \
        >apart.json
jq --arg path "$path" '(.rows[] | select(.key == $path) | .key) |=
    "(paths of less than a millionth)"' apart.json >summed.json
jq '(.rows[] | select(.key | startswith("(paths of")) | .count[0]) += 1 |
    .total.count[0] += 1' summed.json >another.json
for pair in 'apart.json summed.json' 'summed.json apart.json' \
    'summed.json another.json' 'apart.json another.json'; do
    # shellcheck disable=SC2086 # two files
    code hprof-diff --by=path --exit-code $pair
done
# a saved result without ignored paths says which option left them out
hprof-diff --by=path --ignore-path='Shop*' --format=json a >some.json
code hprof-diff --by=path --ignore-path='Shop*' some.json b
cat .err
# a result in which a dump has the objects of the paths is of an earlier version
jq -c '.dumps[0].objects = .total.count[0]' a.json >early.json
refused hprof-diff --by=path early.json b
# a row that is in the end as it was in the first dump was different in between
hprof-diff --by=path --format=json a b a | jq -c '.changed, (.rows[] |
    select(.key | contains("Shop")) | [.key, .count])'
hprof-diff --by=path --format=json b a b | jq '.rows | length > 0'
hprof-diff --by=path --format=json a a a | jq -c '[.changed, .rows]'
# a path that only a dump in the middle has is new
hprof-diff --by=path --format=json moved-1 moved-3 moved-1 |
    jq -c '.rows[] | select(.count == [0, 1, 0]) | [.key, .new]'
hprof-diff --by=path moved-1 moved-3 moved-1 | grep -o 'new  thread.*'
