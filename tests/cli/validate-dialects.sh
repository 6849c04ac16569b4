# HotSpot habitually writes dangling elements in an Object[] to which only a
# root refers; up to JDK 7 also in Object[], String[] and Class[]. The severity
# of the finding must be the same in a file, in a pipe, and with several passes.
severities() {
    jq -r '.files[0].rules[] | select(.rule == "ref-dangling-array") |
        "\(.severity) \(.count)"'
}
for name in array-rooted array-unrooted dangling-array array-jdk7 \
    array-jdk7-strings array-jdk7-classes array-jdk7-orders; do
    fixture "$name" >a
    one=$(hprof-validate --format=json a | severities)
    two=$(cat a | hprof-validate --format=json - | severities)
    echo "$name: $one"
    [ "$one" = "$two" ] || echo "$name: of a pipe $two"
done
# JDK 7 also has JNI global roots of missing VM objects, but no other such
# roots, and JDK 5 has a string with id 0. Names may come after the heap.
for name in root-missing root-jdk7 root-jdk7-monitor string-id-zero \
    string-id-zero-jdk5 late-names; do
    for size in 4 8; do
        fixture "$name" --id-size=$size >a
        code hprof-validate --strict a
        hprof-validate --format=json a | jq -r '.files[0] | .dialect,
            (.rules[] | select(.severity != "info" or
            (.rule | test("^root-m|^string-id"))) |
            .rule, .severity, .count)' | tr '\n' ' '
        echo "$name $size"
        cat a | hprof-validate --format=json - | json_rules >two
        hprof-validate --format=json a | json_rules | cmp - two
        [ -s two ] || echo "$name $size: no rules"
    done
done
# A class and an object with the same id: the finding has the place and the kind
# of the later one.
for name in class-is-instance class-is-early class-is-order class-is-array; do
    fixture "$name" >a
    at=$(fixture --info "$name" | jq .marks.damage)
    hprof-validate --format=json a >one
    cat a | hprof-validate --format=json - >two
    jq -r --argjson at "$at" '.files[0].rules[] |
        select(.rule == "class-is-instance") | .severity, .count,
        (.examples[] | .offset == $at, .message)' one | tr '\n' ' '
    echo
    cmp <(json_rules one) <(json_rules two)
done
# A frame whose class was unloaded before, and a frame whose class never
# existed.
for name in frame-class-unloaded frame-class-missing; do
    fixture "$name" >a
    hprof-validate --format=json a | jq -r '.files[0].rules[] |
        select(.rule == "frame-class-missing") | .severity, .count,
        .examples[].message'
done
