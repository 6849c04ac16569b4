# --salvage makes a dump without errors from the undamaged parts of a damaged
# dump. If there is no complete record, it gives exit status 1 and no output.
need jq
mkdir file pipe
fixtures invalid | while read -r name size; do
    b=$name-$size
    fixture "$name" --id-size="$size" >a
    hprof-convert --salvage a file/$b >.out 2>.err
    status=$?
    case $name in
    empty | text | elf | 7z | phd | utf16 | version-* | id-size | *header-only | \
        cut-header)
        [ $status -eq 1 ] || echo "$name $size: exit $status"
        ;;
    *)
        [ $status -eq 0 ] || echo "$name $size: exit $status"
        hprof-convert --salvage - <a >pipe/$b 2>.err
        ;;
    esac
done
# one run for all files: its status is that of the worst
sound() {
    hprof-validate -q "$@" >.out 2>.err || echo "not valid: $(cat .out .err)"
}
sound file/*
same_folders file pipe 90
(cd file && no_temp)
(cd pipe && no_temp)
rm -r file pipe
# Salvaging the result again changes nothing. Segments that became empty because
# all their references dangled are an example.
for name in all-tags segment-after-end cut-array hotspot; do
    for nulls in '' --null-dangling; do
        fixture $name >a
        # shellcheck disable=SC2086
        quiet hprof-convert --salvage $nulls --force a want
        # shellcheck disable=SC2086
        quiet hprof-convert --salvage $nulls --force want b
        same b want
        rm -f b want
    done
done
# a dump of an unknown version gets the version that has all its records
for name in hotspot art; do
    fixture $name --id-size=4 >a
    { head -c 17 a && printf '9' && tail -c +19 a; } >c
    quiet hprof-convert --force --salvage a want
    quiet hprof-convert --force --salvage c b
    grep -c 'version in the header is not known' .err
    same b want
    rm -f b want
done
# truncated at regular distances
fixture hotspot --id-size=4 >a
bytes=$(wc -c <a)
mkdir cut
for cut in $(seq 1 "$(stride 97)" "$bytes"); do
    head -c $((bytes - cut)) a >c
    hprof-convert --salvage c cut/$cut >.out 2>.err
    status=$?
    if [ $status -ne 0 ] && { [ $status -ne 1 ] || [ $((bytes - cut)) -gt 60 ]; }; then
        echo "$cut bytes cut: exit $status"
    fi
done
sound cut/*
(cd cut && no_temp)
rm -r cut
# Garbage between two objects looks like a heap record, with a length beyond the
# end of the file and two roots. The file still has one dump, and the rest of it
# is kept.
fixture many-objects --id-size=8 >a
half=$(($(wc -c <a) / 2))
noise() { head -c 200 /dev/zero | tr '\0' '\160'; }
{
    head -c $half a
    noise
    printf '\14\0\0\0\1\177\0\0\0'
    printf '\377\1\2\3\4\5\6\7\10\377\1\2\3\4\5\6\7\20'
    noise
    tail -c +$((half + 1)) a
} >c
hprof-convert --salvage c b 2>.err || cat .err
hprof-validate --format=json b | jq -c '.files[0] |
    [.records.HEAP_DUMP_END, .subrecords.INSTANCE_DUMP]'
rm -f b
fixture hotspot --id-size=4 >a
# an undamaged dump loses nothing
quiet hprof-convert --salvage a b
hprof-diff --exit-code a b >.out 2>.err || echo "another histogram"
rm -f b
# A wrong instance size. The size of a subclass or the length of an instance
# confirms the fields, so the size becomes the sum of the fields. Some writers'
# sizes are not sums; they also become the sum. A class that nothing confirms is
# removed.
bent() { # NAME CLASS BYTE: the first byte of the class's size
    local at
    fixture "$1" >a
    at=$(hprof-convert --to=ndjson a 2>.err |
        jq "select(.record == \"CLASS_DUMP\" and .name == \"$2\").offset")
    cp a c
    printf "$3" | dd of=c bs=1 seek=$((at + 61 - ${4:-0})) conv=notrunc 2>.err
    hprof-convert --salvage c b 2>.err
    sed -n 's/.*bytes lost/bytes lost/p' .err
    hprof-validate --format=json b | jq -c '.files[0] |
        [.verdict, (.subrecords | .CLASS_DUMP, .INSTANCE_DUMP),
         (.rules[] | select(.severity != "info").rule)]'
    rm -f b
}
bent hotspot com.acme.Order '\100'
fixture hotspot >a
hprof-convert --salvage c b 2>.err
same a b
rm -f b
bent hotspot com.acme.RushOrder '\100'
bent art java.lang.Object '\200' 28
# HotSpot's first records before the agent's heap, in which a class without
# objects has instance size 0. That is an error in a dump that looks like one of
# HotSpot.
fixture hotspot --id-size=4 | head -c "$(fixture --info hotspot --id-size=4 |
    jq '.marks["first-load"]')" >c
fixture agent | tail -c +"$(fixture --info agent | jq '.marks.heap + 1')" >>c
hprof-convert --salvage c b 2>&1 | sed 's/.*bytes lost/bytes lost/'
hprof-validate --format=json b | jq -c '.files[0] | [.dialect, .verdict,
    (.subrecords | .CLASS_DUMP, .INSTANCE_DUMP)]'
rm -f b
# two dumps whose classes have equal ids but different fields: complete
# instances are kept
{
    fixture hprofconv
    fixture sa28 --id-size=4 | tail -c +32
} >c
hprof-convert --salvage c b 2>&1 | sed 's/.*kept, //'
for file in b c; do
    hprof-validate --format=json $file | jq -c '.files[0].subrecords'
done | uniq | wc -l
rm -f b
left_over a b c
no_temp
# dumps keep their numbers, even if nothing is left of one
{ printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\1\214\0\0\0\0'
  printf '\1\0\0\0\0\0\0\0\5\0\0\0\11A'
  for root in '\125\125\125\125\125' '\5\0\0\0\2' '' '\5\0\0\0\4'; do
      printf '\34\0\0\0\0\0\0\0'"$([ -n "$root" ] && echo '\5' || echo '\0')$root"
      printf '\54\0\0\0\0\0\0\0\0'
  done; } >four
for n in 1 2 3 4 5; do
    hprof-convert -q --salvage --dump=$n --force four y 2>.err
    echo "$n: $? $(cat .err)"
    [ $n -gt 4 ] || hprof-convert -q --to=ndjson y - |
        jq -c 'select(.record | startswith("ROOT")) | .id'
done
# objects whose addresses nothing confirms: all objects of a truncated heap, and
# classes after a lost byte
fixture far-roots >far
at=$(fixture --info far-roots | jq .marks.damage)
head -c $((at + 5000)) far >cut
{ head -c $((at + 40)) far; tail -c +$((at + 42)) far; } >lost
for file in cut lost; do
    hprof-convert --salvage --force $file y 2>&1 | sed 's/.*kept, //'
    for f in $file y; do
        hprof-validate --format=json $f 2>.err | jq -c '.files[0].subrecords |
            [.ROOT_UNKNOWN, .CLASS_DUMP, .PRIMITIVE_ARRAY_DUMP]'
    done
done
# objects after a damaged one stay in their heap
fixture art >heaps
at=$(hprof-convert --to=ndjson heaps |
    jq -r 'select(.record == "INSTANCE_DUMP") | .offset' | sed -n 4p)
{ head -c "$at" heaps; printf '\356'; tail -c +$((at + 2)) heaps; } >bad-heaps
hprof-convert -q --salvage bad-heaps good-heaps
hprof-diff --by=heap --format=json good-heaps | jq -c '.rows[] | [.key, .count[0]]'
# Garbage that can be read as many roots, of objects that do not exist, is left
# out. The bytes are tags of roots.
fixture hotspot --id-size=4 >a
at=$(($(fixture --info hotspot --id-size=4 | jq .marks[\"first-object\"]) + 20))
for byte in 1 2 10; do
    { head -c $at a; head -c 1500 /dev/zero | tr '\0' "\\$byte"
        tail -c +$((at + 1)) a; } >c
    hprof-convert -q --salvage --force c b
    hprof-validate --format=json b | jq -c '.files[0] | [.verdict,
        (.subrecords | .ROOT_JNI_GLOBAL, .ROOT_JNI_LOCAL, .ROOT_THREAD_OBJECT)]'
done
