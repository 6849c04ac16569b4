# NDJSON with --graph: each object's line has its depth, dominator and retained
# size
need jq
cases=$(dirname "$2")
# Compare the sums of each class with hprof-diff, and each object with its
# children in the dominator tree.
compare() {
    jq -R -r -f "$cases/graph-lines.jq" "$1" >lines
    awk -f "$cases/graph-lines.awk" lines | sort >got
    hprof-diff --retained --all --normalize=off --format=json "$2" |
        jq -r '.rows[] | select(.retained_count[0] > 0) |
            "\(.key)\t\(.retained_count[0])\t\(.retained_bytes[0])"' |
        sort >want
    same_or_say "$3" want got
}
while read -r name size; do
    fixture "$name" "--id-size=$size" >dump
    hprof-convert --force --to=ndjson --graph dump both
    compare both dump "$name $size"
    looked
done < <(
    worlds
    echo leak-after 8
    echo native-android 4
    echo native-jvm 8
    echo unreachable 4
    echo ring-unreachable 8
    echo object-dup 8
    echo class-dump-dup 4
    echo uses-large 8
)
looked_at 29
# all other members are the same as without --graph, with every other option;
# threads, compression and pipes make no difference
for name in hotspot art uses-large; do
    fixture $name >dump
    hprof-convert --force --to=ndjson --strings --edges dump plain
    hprof-convert --force --to=ndjson --strings --edges --graph dump both
    sed 's/,"depth":.*}$/}/' both >rest
    same rest plain
    hprof-convert --to=ndjson --strings --edges --graph --threads=1 - \
        <dump >one
    same one both
    gzip -c dump | hprof-convert --to=ndjson --strings --edges --graph \
        --threads=3 - >packed
    same packed both
done
# an object of each kind; an unreachable one; the second dump of an id
fixture hotspot --id-size=8 >dump
hprof-convert --to=ndjson --graph dump | jq -c 'select(has("depth")) |
    select(.class // .name // .element_type |
        test("String|Rush|Object.*]|byte")) |
    [.record, .depth, .dominator.class, .retained_count, .retained_bytes]'
fixture object-dup --id-size=8 >dump
hprof-convert --to=ndjson --graph dump |
    jq -c -s 'map(select(has("depth"))) | group_by(.id) |
        map(select(length > 1) | map(.depth, .dominator, .retained_count))'
# a file with several dumps needs --dump
fixture two-dumps >dump
refused hprof-convert --to=ndjson --graph dump out
hprof-convert --force --to=ndjson --graph --dump=2 dump both
hprof-convert --force --dump=2 dump second
compare both second two-dumps
# a damaged dump: complete lines up to the damage, and no output file
fixture leak-after --id-size=8 >dump
head -c $(($(wc -c <dump) - 40)) dump >cut
code hprof-convert --to=ndjson --graph cut out
[ -e out ] && echo "a file of a damaged dump"
hprof-convert --to=ndjson --graph cut 2>err >lines
echo $?
jq -s 'length > 60' lines
refused hprof-convert --graph dump out
refused hprof-convert --to=text --graph dump out
# without a root all members are null, and a message says so
fixture rootless >none
hprof-convert --to=ndjson --graph none | jq -c 'select(has("depth")) |
    [.depth, .dominator, .retained_count, .retained_bytes]'
# What does not fit into --memory goes to temporary files. If the disk has no
# room for them, the program fails.
fixture many-joinable >many
hprof-convert --to=ndjson --graph many >want
hprof-convert --to=ndjson --graph --threads=1 --memory=24m many 2>err >got
echo $?
same want got
grep -o 'temporary files' err
(
    ulimit -f 128 # their blocks are taken before a line is written
    hprof-convert --to=ndjson --graph --threads=1 --memory=24m many 2>err >got
    echo $?
)
sed 's/ [0-9]* MB/ N MB/' err
# hundreds of thousands of classes: the memory of the first pass counts
crafted kinds 8 >kinds
peak 96 hprof-convert --to=ndjson --graph --memory=96MB kinds
echo "$? $(grep -c ' fit in --memory; allow more' .err)"
