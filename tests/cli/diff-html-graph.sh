# What the HTML report draws of the object graph: the dominator trees of both
# dumps as one, and the bytes of classes with their arrays.
fixture leak-before >a
fixture leak-after >b
data() { sed -n 's/^<script id="data"[^>]*>//;T;s/<\/script>$//;p'; }
hprof-diff --retained --format=html a b | data >both
hprof-diff --retained --format=html b | data >one
hprof-diff --format=html a b | data >none
[ -s both ] && [ -s one ] && [ -s none ] || problem "no data"

# the root box is all that is reachable, and so are all owners together
jq -c '[.dumps[].reachable.bytes] == .dominators[0][4:]' both
jq -c '[.dumps[].reachable.bytes] == [([.owners[][1]] | add),
    ([.owners[][2]] | add)]' both
jq -c '[.dumps[].reachable.bytes] == .dominators[0][3:]' one
# a box stands behind the one that it is in, which is as large as all in it
jq -c '.dominators as $d | [range(1; $d | length)] | all($d[.][0] < .)' both
jq -c '.dominators as $d | [$d | to_entries[] | select(.key > 0) |
    {up: .value[0], now: .value[5]}] | group_by(.up) |
    all((map(.now) | add) <= $d[.[0].up][5])' both
# no array owns anything
jq -c '[.owners[][0] | select(test("\\[\\]$"))] | length' both
jq -c 'has("dominators"), has("owners")' none
# threads do not show, nor does a pipe
hprof-diff --retained --format=html --threads=1 a - <b | data |
    jq 'del(.command)' >alone
jq 'del(.command) | .dumps[1].path = "-"' both >want
same want alone
