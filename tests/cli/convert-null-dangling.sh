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
# of 84 records that begin in it two segments are empty and become none; the cut
# one counts, since its begin is kept
head -c 3000 a >c
hprof-convert --salvage --null-dangling c b 2>&1 | sed 's/.*salvaged/salvaged/'
code hprof-convert --null-dangling a b
left_over a b c
no_temp
