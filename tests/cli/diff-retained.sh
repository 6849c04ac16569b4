# --retained: columns, order, gates, saved results, and all kinds of input.
# needs: pack text
fixture leak-before >a
fixture leak-after >b
hprof-diff --retained --format=json a b >ab.json
jq -c '.reachability, (.dumps[] | [.objects, .reachable.objects, .weak.objects,
    .unreachable.objects])' ab.json
jq -c '.rows[] | select(.key | startswith("com.acme")) |
    [.key, .retained_count, .retained_bytes, .delta_retained_count,
    .delta_retained_bytes]' ab.json
# objects that are reachable, weakly reachable, kept alive by hidden fields and
# unreachable are all objects
jq -c '.dumps[] | select(.reachable.objects + .weak.objects +
    .hidden_fields.objects + .unreachable.objects != .objects or
    .reachable.bytes + .weak.bytes + .hidden_fields.bytes +
    .unreachable.bytes != .bytes)' ab.json
jq -c '.rows[] | select(.retained_count[1] > .delta_count and
    .retained_bytes[0] > 100000000)' ab.json
jq -r '.total.retained_count[1] - .dumps[1].reachable.objects' ab.json
# the columns of the other formats
hprof-diff --retained --format=csv a b | head -n 1
hprof-diff --retained --format=ndjson a b | sed 1d | jq -c '.delta_retained_bytes' |
    cmp - <(jq -c '.rows[].delta_retained_bytes' ab.json)
hprof-diff --sort=retained --format=json b |
    jq -c '[.rows[].retained_bytes[0]] | . == (sort | reverse)'
hprof-diff --retained b | sed -n 's/  */ /g; 4p'
# by every key, from a file, a pipe, gzip and a pack, with one thread or three
for by in class package loader heap 'site --sites=objects'; do
    case $by in site*) fixture agent >b ;; esac
    # shellcheck disable=SC2086 # two options
    set -- --retained --by=$by --format=json
    hprof-diff "$@" b |
        plain_json - >want
    for threads in 1 3; do
        hprof-diff "$@" --threads=$threads - <b | plain_json - >got
        same want got
    done
    cat b | hprof-diff "$@" - | plain_json - >got
    same want got
    gzip -c b | hprof-diff "$@" - | plain_json - >got
    same want got
done
fixture leak-after >b
hprof-convert -q --to=pack b b.pack
hprof-diff --retained --format=json b | plain_json - >want
hprof-diff --retained --format=json b.pack | plain_json - >got
same want got
# what the classes of a package retain together is not a sum
hprof-diff --retained --by=package --format=json b |
    jq -c '.rows[] | select(.key == "com.acme.*" or .key == "com.acme") |
    [.key, .rollup // false, .retained_count[0]]'
# saved results have retained sizes
for by in class package; do
    hprof-diff --retained --by=$by --format=json a >a.json
    hprof-diff --retained --by=$by --format=json a b | jq -c '.rows, .total' >want
    hprof-diff --retained --by=$by --format=json a.json b |
        jq -c '.rows, .total' >got
    same want got
done
hprof-diff --format=json a >plain.json
code hprof-diff --retained plain.json b
cat .err
hprof-diff --retained --reachability=all --format=json a >all.json
code hprof-diff --retained all.json b
cat .err
# gates work without --retained
code hprof-diff --fail-if='com.acme.* growth-retained>1KB' a b
grep -A 1 FAILED .out
code hprof-diff --fail-if='com.acme.* growth-retained-count>1000000' a b
code hprof-diff --fail-if='total retained>1' --fail-if='total growth-retained>5%' a b
code hprof-diff --fail-if='total growth-retained>5%' a
code hprof-diff --by=cpu --retained a
cat .err
code hprof-diff --reachability=feeble a
fixture agent >g
code hprof-diff --retained --by=site --sites=records g
cat .err
# --memory is respected
code hprof-diff --retained --memory=21M b
# what does not fit goes to temporary files, also in the sandbox
crafted lists 1 >many
hprof-diff --retained --format=json many >want
hprof-diff --retained --threads=1 --memory=26m --format=json many >got 2>err
echo $?
same want got
grep -o 'temporary files' err
# with --by=path, references that are in files are followed in several passes
crafted tangled >tangled
hprof-diff --by=path --format=csv tangled >want
for threads in 1 2; do
    hprof-diff --by=path --threads=$threads --memory=24M --format=csv tangled \
        >got 2>err
    echo "$? $(grep -o 'temporary files' err)"
    same_or_say "tangled --threads=$threads" want got
done
# the tree of large objects is built in parts if a level has very many nodes
crafted crowds >crowds
hprof-diff --retained crowds crowds >want
hprof-diff --retained --memory=27M crowds crowds >got 2>err
echo $?
same_or_say crowds want got
# if the disk has no room, or the folder does not exist, there is one message
(ulimit -f 128; hprof-diff --retained --threads=1 --memory=26m many 2>err) >got
echo $?
cat got
sed 's/ [0-9]* MB/ N MB/' err
TMPDIR=$PWD/none hprof-diff --retained --threads=1 --memory=26m many >got 2>err
echo $?
cat got
sed "s|$PWD/||" err
# the graph fits, but the paths beside it do not, and it cannot be moved to files:
# the message names both causes
crafted fields 1 >fields
by_path() {
    hprof-diff --by=path --threads=1 --memory=36M fields >got 2>err
    echo "$?$(cat got)"
    sed "s|$PWD/||; s/ [0-9]* MB/ N MB/" err | least
}
(ulimit -f 128; by_path)
(export TMPDIR=$PWD/none; by_path)
# most of the heap is kept alive only by a finalizer: this is shown
fixture finalized >waiting
for how in soft all; do
    hprof-diff --retained --reachability=$how waiting |
        sed -n '/reachable (/p; /weakly: [0-9]/p'
    hprof-diff --why='byte*' --reachability=$how waiting | tail -n 4
done
# no root: nothing is retained, and a message says so
fixture rootless >none
for how in --retained --by=dominator --by=path --why='A'; do
    hprof-diff $how --format=json none 2>err | jq -c '.dumps[] | [.reachable.objects,
        .weak.objects, .unreachable.objects]'
    cat err
done
# a class with id 0 in a dump without sticky classes is not an object, so it is
# not a root
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4'
    head -c 8 /dev/zero
    printf '\034\0\0\0\0\0\0\0\053\040'
    head -c 42 /dev/zero
    printf '\054\0\0\0\0\0\0\0\0'
} >zero
for how in --retained --by=dominator --by=path --columns=depth; do
    hprof-diff $how --format=json zero | jq -c '.dumps[].reachable'
done
hprof-convert --to=ndjson --graph zero | jq -c '.retained_count | select(. != null)'
# an object with id 0 is unreachable, wherever other ids are, and also if an id
# occurs twice
for size in 4 8; do
    fixture object-zero --id-size=$size >zero
    hprof-diff --retained --partial --format=json zero 2>err |
        jq -c '.dumps[] | [.objects, .reachable.objects, .unreachable.objects]'
done
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4'
    head -c 8 /dev/zero
    printf '\034\0\0\0\0\0\0\0\104'
    for id in 0 7 0 7; do
        printf "\\041\\0\\0\\0\\$id"
        head -c 12 /dev/zero
    done
    printf '\054\0\0\0\0\0\0\0\0'
} >zero
hprof-diff --retained --partial --format=json zero 2>err |
    jq -c '.dumps[] | [.objects, .reachable.objects, .unreachable.objects]'
