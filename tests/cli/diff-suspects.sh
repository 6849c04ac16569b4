# Suspects: two dumps of a program that leaks, and what it would be without.
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
hprof-diff --retained --top=1 a b | sed -n '/suspect/,$p'
hprof-diff --retained --format=json a b >ab.json
jq -c '.suspects[] | {path, class, count, element, elements}' ab.json
# who loaded the class of the field
jq -c "[.suspects[].loader] | unique" ab.json
# exact figures: the retained sizes that rows have, and what is in it
jq -c '.suspects[0].elements == ([.rows[] |
    select(.key == "Shop$CartListener").count] | first)' ab.json
jq -c '.suspects[] | .delta_retained_bytes ==
    .retained_bytes[1] - .retained_bytes[0]' ab.json
# the same with other threads, from pipes, in three dumps and as NDJSON
jq .suspects ab.json >want
for threads in 1 3; do
    hprof-diff --retained --threads=$threads --format=json a b |
        jq .suspects >got
    same want got
done
cat b | hprof-diff --retained --format=json a - | jq .suspects >got
same want got
hprof-diff --retained --format=json a a b | jq .suspects >got
same want got
hprof-diff --retained --format=ndjson a b >lines
head -n 1 lines >line
jq .suspects line >got
same want got
# nothing grew: nobody is suspected; no graph: nothing is said
hprof-diff --retained --format=json a a | jq -c .suspects
hprof-diff --retained --format=json b a | jq -c .suspects
hprof-diff --format=json a b | jq -c .suspects
# a saved result has no graph
hprof-diff --retained --format=json a >saved.json
hprof-diff --retained --format=json saved.json b |
    jq -c '[.suspects, .suspects_unknown]'
# nor has what nothing can be read of
head -c 40 b >cut
hprof-diff --partial --retained a cut 2>.err | grep suspect
hprof-diff --partial --retained --format=json a cut 2>.err |
    jq -c '[.suspects, .suspects_unknown]'
hprof-diff --why='Shop*' --format=json a b | jq -c .suspects_unknown
hprof-diff --retained --format=json a b | jq 'has("suspects_unknown")'
for how in --retained --by=dominator --by=path; do
    hprof-diff $how --format=json a >saved.json
    for pair in "saved.json b" "b saved.json" "saved.json"; do
        hprof-diff $how $pair | grep suspect
        hprof-diff $how --format=html $pair |
            sed -n 's/.*\("suspects_unknown":"[^"]*"\).*/\1/p'
    done
    hprof-diff $how a saved.json b | grep -c suspect:
done
# one dump: who has a tenth of the heap
hprof-diff --retained --format=json b | jq -r '.suspects[].path'
# whose loader it is, not that of another class of this name, which what looks
# at all paths gets to
fixture twin-plugins >twins
for how in "--retained --format=json" "--retained --format=html" \
    "--by=path --retained --format=json"; do
    hprof-diff $how twins | tr -d '\n' | grep -oE '"suspects": *\[ *\{"path".*' |
        sed 's/ *"class".*//'
done
# a list is one step, however long; a field between is named
fixture leak-after >c
hprof-diff --retained --format=json c | jq -c '.suspects[] | [.path, .element]'
# what many objects hold together, of which some hold nothing else
fixture rooted >d
hprof-diff --retained --format=json d |
    jq -c '.suspects[] | [.path, .count, .retained_count, .holds]'
# those that keep as much each: the names of what holds them decide, not ids
fixture alike >e
hprof-diff --retained --format=json e >want
jq -c '.suspects[] | [.path, .retained_bytes]' want
for threads in 1 1 2 2 3; do
    hprof-diff --retained --threads=$threads --format=json e >got
    same want got
done
# of many objects the path that most of them have, not that of the largest
fixture scattered >f
hprof-diff --retained --format=json f >json
jq -c '.suspects[] | [.path, .class, .count, .retained_bytes]' json
hprof-diff --by=path --format=json f | jq -c '.suspects[].path'
# a static field of two classes of one name holds a Map and a LinkedMap, which
# is one: together they are two Maps
fixture mixed-statics >g
hprof-diff --retained g | grep -A3 '^suspect'
hprof-diff --retained --format=json g |
    jq -c '.suspects[] | [.class, .count, .element]'
# a static field's object is the same if a stack comes to hold it, too, or did
for name in registry registry-held registry-grown registry-inner \
    registry-inner-grown; do
    fixture $name >$name
done
hprof-diff --retained --format=json registry registry-held | jq -c .suspects
hprof-diff --retained --format=json registry-held registry | jq -c .suspects
hprof-diff --retained registry registry-grown | grep -A1 '^suspect'
hprof-diff --by=dominator registry registry-grown | grep '^suspect'
hprof-diff --retained --format=json registry registry-grown |
    jq -c '.suspects[] | [.count, .elements, .retained_count,
        .retained_bytes[1] - .retained_bytes[0] == .delta_retained_bytes]'
# of what had another owner, and no such field names, growth is not told
hprof-diff --retained registry-inner registry-inner-grown |
    grep -A1 '^suspect'
hprof-diff --retained --format=json registry-inner registry-inner-grown |
    jq -c '.suspects[] | [.path, .count, .elements, .retained_count,
        .retained_bytes[0], has("delta_retained_bytes"), .growth_unknown]'
# where objects share no path it is that of the largest, which is said
hprof-diff --retained --format=json a |
    jq -c '.suspects[] | select(.path_of_largest) | [.count[0], .path_of_largest]'
