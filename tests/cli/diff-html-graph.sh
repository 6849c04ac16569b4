# What the HTML report shows of the object graph: the merged dominator trees of
# both dumps, and the bytes of classes with their arrays.
fixture leak-before >a
fixture leak-after >b
hprof-diff --retained --format=html a b | page_data >both
hprof-diff --retained --format=html b | page_data >one
hprof-diff --quick --format=html a b | page_data >none
[ -s both ] && [ -s one ] && [ -s none ] || problem "no data"

# the root box is everything reachable, and so is the sum of all owners
jq -c '[.dumps[].reachable.bytes] == .dominators[0][2:4]' both
jq -c '[.dumps[].reachable.bytes] == [([.owners[][1]] | add),
    ([.owners[][2]] | add)]' both
jq -c '[.dumps[].reachable.bytes] == .dominators[0][2:3]' one
# a box comes after its parent, and the parent has the size of all its contents
jq -c '.dominators as $d | [range(1; $d | length)] | all($d[.][0] < .)' both
jq -c '.dominators as $d | [$d | to_entries[] | select(.key > 0) |
    {up: .value[0], now: .value[3]}] | group_by(.up) |
    all((map(.now) | add) <= $d[.[0].up][3])' both
# an array is never an owner
jq -c '[.owners[][0] | select(test("\\[\\]$"))] | length' both
jq -c 'has("dominators"), has("owners")' none
# diff-page-numbers compares the references with --by=holder; the largest objects
# of each class are shown
jq -c '.references | [.list, .to, .from | length > 4]' both
jq -c '[.rows[] | select(.key == "byte[]") | .largest | length]' both
# a saved result has neither, so the page has no such parts
hprof-diff --retained --format=json a >saved
hprof-diff --retained --format=html saved b | page_data >half
jq -c 'has("dominators"), has("references"), (.rows | length > 0)' half
# nothing is reachable: no box and no owner, and no holder either
fixture rootless >unrooted
fixture cut-class >cut
for file in unrooted cut; do
    hprof-diff --partial --retained --format=html $file 2>/dev/null | page_data |
        jq -c '[(.dominators | length), (.owners | length)]'
done
# threads and pipes make no difference
hprof-diff --retained --format=html --threads=1 a - <b | page_data |
    jq 'del(.command)' >alone
# the suggested next command has the names of the files
jq 'del(.command) | .dumps[1].path = "-" | .compared[1].path = "-" |
    .compared[1].file = "standard input"' both | sed "s/' a b\"/' a -\"/" >want
same want alone

# paths: all objects of a class that roots reach are on them, as with --why
told() { # FILE KEY: objects on the paths of a row, before and after
    jq -c --arg key "$2" '.rows as $rows | .texts as $texts | [.paths.of[] |
        select($rows[.[0]].key == $key) | [.[2:4][] | $texts[.] | sub("−"; "-") |
        capture("(?<n>[+-]?[0-9,]+)").n | gsub("[,+]"; "") | tonumber] |
        [.[0] - .[1], .[0]]] | transpose | map(add)' "$1"
}
for key in com.acme.Order 'byte[]' java.lang.String; do
    hprof-diff --why="$key" --format=json a b |
        jq -c '[.why.tree[].count] | transpose | map(add)' >want
    told both "$key" >got
    same_or_say "paths of $key" want got
    looked
done
looked_at 3
# a step comes after the step that it continues, and each step is used
jq -c '.paths | (.steps | to_entries | all(.value[0] <= .key)),
    ([.of[][1]] | max) <= (.steps | length), (.of | length > 3)' both
# objects whose paths are not listed are in one path without steps
jq -c '[.paths.of[] | .[0:2]] | length == (unique | length)' both
# boxes and steps of paths with a single container have a label
jq -c '[.dominators[] | select(.[4]) | .[3:5]], [.paths.steps[] | select(.[2]) | .[1:3]]' one
jq -c 'has("sites"), (.rows | length > 0)' both
# by path there are many unchanged rows: the page has them with --all
for all in "" --all; do
    hprof-diff --by=path $all --format=json a b | jq -c '.rows[].key' >want
    hprof-diff --by=path $all --format=html a b | page_data |
        jq -c '.rows[].key' >got
    same want got
done
# the names of static fields begin with the name of their class, once
zstd -q -dc "$(dirname "$2")/../../corpus/shop-before.hprof.zst" >a
hprof-diff --format=html a 2>.err >page
grep -oE '[A-Za-z0-9_.$]+ \(static\)' page | sort -u >names
[ -s names ] || problem 'no names'
awk '{ c = $1; sub(/\.[^.]*$/, "", c); half = length(c) / 2
    if (c && substr(c, 1, half) == substr(c, half + 1)) print }' names
# the tree of one dump is merged only as far as it is drawn, and that of two dumps
# further: a dump and its copy have the same boxes as the dump alone
cp a copy
hprof-diff --retained --format=html a 2>.err | page_data |
    jq -c '.dominators[] | .[0:3]' >alone
hprof-diff --retained --format=html a copy 2>.err | page_data |
    jq -c '.dominators[] | [.[0], .[1], .[3]]' >twice
same alone twice
