# Objects to which only fields of java.lang.Class refer, which dumps of HotSpot
# do not list, are counted apart from garbage.
need jq
fixture hidden-fields >dump
fixture hidden-fields --id-size=8 >wide
fixture hidden-fields-android >android
parts='.dumps[] | [.reachable, .weak, .hidden_fields // {}, .unreachable] |
    map([.objects, .bytes])'
json() {
    hprof-diff --retained --format=json -q "$@"
}
json dump | jq -c "$parts"
json wide | jq -c "$parts"
json android | jq -c "$parts"
# with strong references only, a soft reference of a hidden field still belongs
# to the field
json --reachability=strong dump | jq -c "$parts"
json --reachability=all dump | jq -c "$parts"
# the four parts are the heap, however the dump is read
for how in --threads=1 --threads=4; do
    json $how dump | jq -c '.dumps[0] | [.reachable, .weak, .hidden_fields,
        .unreachable] as $p | ([$p[].objects] | add) == .objects and
        ([$p[].bytes] | add) == .bytes'
done
json - <dump | jq -c "$parts"
# the first screen: of a dump, and of a comparison in which garbage decreased
hprof-diff --retained -q dump | grep -A2 -E '^heap|^hidden'
hprof-diff -q android dump | grep -A1 '^heap'
# the waste is the garbage, object by object
hprof-diff --by=waste --retained --format=json -q dump >waste
jq -r '.rows[] | select(.key | startswith("unreachable")) | [.key, .count[0]] |
    join(" ")' waste
[ "$(jq '[.rows[] | select(.key == "unreachable")][0] | .waste[0]' waste)" = \
    "$(jq '.dumps[0].unreachable.bytes' waste)" ] || problem "another size"
# a saved result keeps the numbers
json dump >saved.json
json saved.json dump | jq -c "$parts"
# a gate counts no object that a hidden field keeps alive
code hprof-diff --by=waste --retained -q --fail-if='unreachable count>10' dump
code hprof-diff --by=waste --retained -q --fail-if='unreachable count>9' dump
