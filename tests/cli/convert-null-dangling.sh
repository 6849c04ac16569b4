# --salvage --null-dangling: what is kept refers to nothing that is lost; no
# object is lost by it, and a dump without dangling references stays as it is.
objects='.files[].subrecords | [.CLASS_DUMP, .INSTANCE_DUMP, .OBJECT_ARRAY_DUMP,
    .PRIMITIVE_ARRAY_DUMP]'
for world in 'hotspot 4' 'hotspot 8' 'agent 4' 'art 4'; do
    # shellcheck disable=SC2086
    set -- $world
    fixture "$1" --id-size="$2" >a
    bytes=$(wc -c <a)
    for cut in $(seq 1 397 $((bytes / 2))); do
        head -c $((bytes - cut)) a >c
        quiet hprof-convert --salvage c plain
        quiet hprof-convert --salvage --null-dangling c nulled
        hprof-validate --format=json nulled >.out ||
            echo "$world: $cut bytes cut: not valid"
        [ "$(jq '.files[].references.dangling' .out)" = 0 ] ||
            echo "$world: $cut bytes cut: something dangles"
        [ "$(jq -c "$objects" .out)" = "$(
            hprof-validate --format=json plain | jq -c "$objects")" ] ||
            echo "$world: $cut bytes cut: other objects"
        hprof-convert --salvage --null-dangling - <c 2>.err | cmp - nulled
        rm -f plain nulled
    done
done
# 84 records begin in it: empty segments are whole ones, and of the cut one the
# begin is kept
head -c 3000 a >c
hprof-convert --salvage --null-dangling c b 2>&1 | sed 's/.*salvaged/salvaged/'
code hprof-convert --null-dangling a b
# twice is once: what had nothing but a root that went stays, too, as a segment
# without anything in it, and as a dump of its own
rm -f b
for name in segment-after-end root-missing art many-segments two-dumps; do
    fixture $name --id-size=4 >a
    hprof-convert -q --salvage --null-dangling a b 2>.err
    hprof-convert -q --salvage --null-dangling b c --force 2>.err
    same b c
    rm -f b
done
fixture art >a
hprof-convert -q --salvage a b
same a b
left_over a b c
no_temp
