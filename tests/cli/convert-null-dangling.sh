# --salvage --null-dangling: recovered objects do not refer to lost ones. No
# object is lost by this option, and a dump without dangling references stays
# unchanged.
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
# Of 84 records, two empty segments are left out. The truncated record counts,
# because its beginning is kept.
head -c 3000 a >c
hprof-convert --salvage --null-dangling c b 2>&1 | sed 's/.*salvaged/salvaged/'
code hprof-convert --null-dangling a b
left_over a b c
no_temp
