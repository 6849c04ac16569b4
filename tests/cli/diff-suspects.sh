# Leak suspects, for two dumps of a program with a leak, and for dumps without
# one.
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
hprof-diff a b | answer
hprof-diff --retained --format=json a b >ab.json
jq -c '.suspects[] | {path, class, count, element, elements}' ab.json
# the loader of the field's class
jq -c "[.suspects[].loader] | unique" ab.json
# exact figures: the retained sizes of the rows, and the number of elements
jq -c '.suspects[0].elements == ([.rows[] |
    select(.key == "Shop$CartListener").count] | first)' ab.json
jq -c '.suspects[] | .delta_retained_bytes ==
    .retained_bytes[1] - .retained_bytes[0]' ab.json
# the same with other threads, from pipes, with three dumps and as NDJSON
jq .suspects ab.json >want
for threads in 1 3; do
    hprof-diff --retained --threads=$threads --format=json a b |
        jq .suspects >got
    same want got
done
cat b | hprof-diff --retained --format=json a - | jq .suspects >got
same want got
# with three dumps, only the number of steps differs
hprof-diff --retained --format=json a a b >aab.json
jq '[.suspects[] | del(.evidence, .retained_bytes_of_dumps)]' ab.json >less
jq '[.suspects[] | del(.evidence, .retained_bytes_of_dumps)]' aab.json >got
same less got
jq -c '[.suspects[].evidence | {steps, grew, owners}] | unique' ab.json aab.json
hprof-diff --retained --format=ndjson a b >lines
head -n 1 lines >line
jq .suspects line >got
same want got
# nothing grew, so there is no suspect; without a graph nothing is printed
hprof-diff --retained --format=json a a | jq -c .suspects
hprof-diff --retained --format=json b a | jq -c .suspects
hprof-diff --format=json a b | jq -c .suspects
# a saved result has no graph
hprof-diff --retained --format=json a >saved.json
hprof-diff --retained --format=json saved.json b |
    jq -c '[.suspects, .suspects_unknown]'
# an unreadable dump has no graph either
head -c 40 b >cut
hprof-diff --partial --retained a cut 2>.err | answer
hprof-diff --partial --retained --format=json a cut 2>.err |
    jq -c '[.suspects, .suspects_unknown]'
hprof-diff --why='Shop*' --format=json a b | jq -c .suspects_unknown
hprof-diff --retained --format=json a b | jq 'has("suspects_unknown")'
fixture registry >small-1
fixture registry-grown >small-2
for how in --retained --by=dominator --by=path; do
    hprof-diff $how --format=json small-1 >saved.json
    for pair in "saved.json small-2" "small-2 saved.json" "saved.json"; do
        hprof-diff $how $pair | grep 'not known\|known only'
        hprof-diff $how --format=html $pair |
            sed -n 's/.*\("suspects_unknown":"[^"]*"\).*/\1/p'
    done
    hprof-diff $how small-1 saved.json small-2 | grep -c '^[1-9]  .* of the growth'
done
# the suspects explain most of the growth
jq -c '.suspects_explain | .explained <= .growth and
    .explained >= .growth * 0.9' ab.json
# one dump: the largest owners, and as suspects only containers that retain more
# than a fifth of the heap
hprof-diff --retained --format=json b |
    jq -c '([.suspects[].path], [.largest_owners[] | [.path, .label, .leak]]),
        .nothing_stands_out'
hprof-diff --retained --format=json a |
    jq -c '.suspects, ([.largest_owners[].leak] | unique), .nothing_stands_out'
# with one dump, owners have evidence, but no steps in which they grew
hprof-diff --retained --format=json b | jq -c '.largest_owners[] | [.label, .evidence]'
# the loader is right even if another class has the same name
fixture twin-plugins >twins
for how in "--retained --format=json" "--retained --format=html" \
    "--by=path --retained --format=json"; do
    hprof-diff $how twins | tr -d '\n' | grep -oE '"largest_owners": *\[ *\{"path".*' |
        sed 's/, *"label".*/,/'
done
# a list is one step, however long it is; a field in between is shown
fixture leak-after >c
hprof-diff --retained --format=json c | jq -c '.largest_owners[] | [.path, .element]'
# objects that several objects keep alive together, of which some keep nothing
# alive alone
fixture rooted >d
hprof-diff --retained --format=json d |
    jq -c '.largest_owners[] | [.path, .count, .retained_count, .holds]'
# equally large arrays: the names of their holders decide, not their ids
fixture alike >e
hprof-diff --retained --format=json e >want
jq -c '.largest_owners[] | [.path, .retained_bytes]' want
for threads in 1 1 2 2 3; do
    hprof-diff --retained --threads=$threads --format=json e >got
    same want got
done
# for many objects the path is that of most of them, not that of the largest
fixture scattered >f
hprof-diff --retained --format=json f >json
jq -c '.largest_owners[] | [.path, .class, .count, .retained_bytes]' json
hprof-diff --by=path --format=json f | jq -c '.largest_owners[].path'
# The static fields of two classes with one name refer to a Map and a LinkedMap.
fixture mixed-statics >g
hprof-diff g | answer
hprof-diff --retained --format=json g |
    jq -c '.largest_owners[] | [.class, .count, .element]'
# the object of a static field is the same if a stack also refers to it in one
# dump
for name in registry registry-held registry-grown registry-inner \
    registry-inner-grown registry-inner-away; do
    fixture $name >$name
done
hprof-diff --retained --format=json registry registry-held | jq -c .suspects
hprof-diff --retained --format=json registry-held registry | jq -c .suspects
hprof-diff --retained registry registry-grown | answer
hprof-diff --by=dominator registry registry-grown | answer
hprof-diff --retained --format=json registry registry-grown |
    jq -c '.suspects[] | [.count, .elements, .retained_count,
        .retained_bytes[1] - .retained_bytes[0] == .delta_retained_bytes]'
# if the owner changed and no such field refers to the object, its address tells
# that it is the same; if objects have moved in memory, no growth is reported
hprof-diff --retained registry-inner registry-inner-grown | answer
hprof-diff --retained registry-inner registry-inner-away | answer
hprof-diff --retained --format=json registry-inner registry-inner-away |
    jq -c '.suspects[] | [.path, .count, .elements, .retained_count,
        .retained_bytes[0], has("delta_retained_bytes"), .growth_unknown]'
# if objects share no path, the path of the largest is shown, and a text says so
hprof-diff --retained --format=json a |
    jq -c '.largest_owners[] | select(.path_of_largest) | [.count[0], .path_of_largest]'
# CSV has no suspects, but what they find counts as a change there, too
for format in csv json; do
    hprof-diff --retained --exit-code --format=$format a b >/dev/null
    echo "$format $?"
done
# several static fields of one class keep an object alive: no field alone owns it
for name in fields-to-object fields-to-list fields-up-and-down registry; do
    fixture $name >$name
    hprof-diff $name | sed -n '6,/next/p' |
        grep -oE '.* \(static\) →|(one owner|other [a-z ]*keep).* · |.*also$'
done
# a list whose nodes alternate between four classes, and a search tree, also one
# that grows by only 1.8 % of the heap and begins with 0.02 %; maps whose first
# entry, or all of whose entries, retain less than 1/16384 of the heap
for name in alternating-list search-tree small-growth linked-map empty-map; do
    fixture $name-1 >$name-1
    fixture $name-2 >$name-2
    hprof-diff --retained --format=json $name-1 $name-2 |
        jq -c '.suspects[] | [.label, .field, .path, .object, .elements]'
    looked
done
looked_at 5
# references that a set and a ReferenceQueue keep alive: the suspect is the set
fixture queued-references-1 >queued-1
fixture queued-references-2 >queued-2
hprof-diff queued-1 queued-2 | answer
hprof-diff --retained --format=json queued-1 queued-2 | jq -c '.suspects[] |
    [.label, .field, .object, .elements, .evidence.has_other_fields]'
# a label that is too wide loses packages and outer classes; if this is not enough,
# it gets a line of its own, so that no name is cut in its middle
for width in 80 75; do
    COLUMNS=$width hprof-diff a b | answer | grep -A1 '^[12]  '
done
# The suggested command does not depend on the width of the terminal, and can be
# copied: lines that go on end with a backslash. Only if the name of the class is
# wider than a line, the command has the end of the name.
LC_ALL=C sed "s/Shop.CartListener/Shop'CartListener/g" b >quoted
LC_ALL=C sed "s/Shop.CartListener/Shop'CartListener/g" a >first
suggested() {
    COLUMNS=$1 hprof-diff "${@:2}" | sed -n '/next: /,/[^\\]$/p' |
        sed '/[^\\]$/q' | sed 's/.*next: //'
}
for width in 100 47 30; do
    suggested $width a b
    suggested $width first quoted | tee next
    bash ./next | sed '1,/kept by/d' >got
    hprof-diff --why="Shop'CartListener" first quoted | sed '1,/kept by/d' >want
    same want got
    looked
done
looked_at 3
suggested 80 b
# Parts of a map whose number is the same: --why is for the class that has grown.
fixture segmented-map-1 >segmented-1
fixture segmented-map-2 >segmented-2
hprof-diff segmented-1 segmented-2 | answer
suggested 80 segmented-1 segmented-2 >next
bash ./next | sed '1,/kept by/d'
# the parts of the growth have a sign, and the last part says what is unchanged
for name in finding-unreachable finding-none finding-direct-memory \
    finalizer-stuck finalizer-queued; do
    fixture $name >$name
done
hprof-diff finding-unreachable finding-none | sed -n 2p
hprof-diff finding-none finding-unreachable | sed -n 2p
hprof-diff finding-none finding-direct-memory | sed -n 2,3p
hprof-diff finalizer-stuck finalizer-queued | sed -n 2p
# memory outside the heap is a part of the size of the owner, or of its growth
hprof-diff finding-direct-memory | answer | grep -o '.* outside the heap · .*'
hprof-diff finding-none finding-direct-memory | answer | grep -o '.* outside the heap · .*'
# the first lines say that a dump has no roots
fixture rootless >rootless
hprof-diff rootless 2>.err | sed -n 2,4p
# the share that the first lines show
jq -c '.suspects[] | [.percent, .percent_of]' ab.json
hprof-diff --retained --format=json b | jq -c '.largest_owners[0] | [.percent, .percent_of]'
# containers have the same label in --object
id=$(jq -r '.suspects[1].object' ab.json)
hprof-diff --object="$id" b | sed -n 2p
hprof-diff --object="$id" --format=json b | jq -r .object.label
# the rows of owners have labels, too; a table shortens only names in a label
COLUMNS=80 hprof-diff --by=dominator b | grep '^ *(map'
# no class is named if less than half of the elements have it
hprof-diff "$top/corpus/shapes.hprof.gz" | grep -A 5 'objects of several classes'
