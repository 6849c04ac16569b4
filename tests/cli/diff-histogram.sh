# The histogram of each writer's dump has the same objects with the same names.
# The figures of hotspot with 8-byte ids were computed by hand from
# tests/builder/world.h.
fixture hotspot >a
hprof-diff --format=json a >json
jq -r '.rows[] | "\(.key) \(.count[0])"' json | sort
echo
jq -c '.dumps[0] | [.objects, .dialect, .partial]' json
jq -c '[.total.count[0] == ([.rows[].count[0]] | add),
    .total.bytes[0] == ([.rows[].bytes[0]] | add),
    .dumps[0].bytes == .total.bytes[0]]' json
# the dumps of all writers have these
want='com.acme.Loader 1|com.acme.Order 2|com.acme.Order[] 1|com.acme.RushOrder 1|double[] 1|float[] 1|int[] 1|java.lang.String 1|java.lang.Thread 1|long[] 1|short[] 1'
worlds | while read -r name size; do
    fixture "$name" --id-size="$size" >b
    got=$(hprof-diff --format=json b 2>.err | jq -r '[.rows[] |
        "\(.key) \(.count[0])"] | join("\n")' | sort |
        grep -Fx "$(echo "$want" | tr '|' '\n')" | tr '\n' '|')
    [ "${got%|}" = "$want" ] || echo "$name $size: $got"
done
