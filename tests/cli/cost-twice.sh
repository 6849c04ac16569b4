# Twice as much of an expensive input takes about twice the CPU time, with every
# option. The memory is in proportion to the input, or within --memory. The
# shapes are those of tests/crafted.c, with 0.1 to 7 MB each. tests/check-cost
# runs every option on every shape, and larger inputs.
case $BUILD in
*/release) ;;
*) skip "only a release build" ;;
esac
timed=$BUILD/../bench/timed
[ -x "$timed" ] || skip "no $timed"
ran=0

# user FILE CMD...: print the user CPU time in ms, or "killed" after 30 s. The
# limit includes the system time, which is large on a machine with little
# memory.
user() {
    local file=$1
    shift
    (ulimit -t 30; exec "$timed" "$@" "$file") 2>.err |
        awk -F '\t' '$5 > 1 { print "killed"; exit }
            { printf "%d\n", $2 * 1000 }'
}

# twice CMD...: compare the times for a.1 and a.2. Times below 60 ms are
# ignored. If the ratio is too large, both run again, and the smaller time
# counts.
twice() {
    local one two again
    one=$(user a.1 "$@")
    two=$(user a.2 "$@")
    ran=$((ran + 1))
    for again in again and again; do
        is_bad || return 0
        again=$(user a.1 "$@")
        [ "$again" = killed ] || [ "$again" -gt "$one" ] || one=$again
        again=$(user a.2 "$@")
        [ "$again" = killed ] || [ "$again" -gt "$two" ] || two=$again
    done
    ! is_bad || echo "$shape: $one ms, $two ms: $*"
}
is_bad() {
    [ "$one" = killed ] || [ "$two" = killed ] ||
        [ "$two" -gt $((3 * one + 60)) ]
}

# try SHAPE CMD...: the dumps are reused while the shape is the same
shape=
try() {
    if [ "$shape" != "$1" ]; then
        shape=$1
        crafted "$shape" 0.5 >a.1 && crafted "$shape" 1 >a.2 || echo "$shape"
    fi
    shift
    twice "$@"
}

try wide hprof-convert --strip-arrays --keep=java.lang.Thread#name
try wide hprof-convert --to=ndjson
try dangling hprof-convert --strip-arrays --keep=java.lang.Thread#name
try dangling hprof-validate --threads=2
# A pass over a later dump of a compressed file must first uncompress everything
# before it. These dumps contain an array twice, after a long text.
for i in 1 2; do
    {
        printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\0'
        printf "\\1\\0\\0\\0\\0\\${i}\\0\\0\\4\\0\\0\\0\\1"
        head -c $((i << 24)) /dev/zero | tr '\0' a
        for _ in $(seq $((150 * i))); do
            printf '\34\0\0\0\0\0\0\0\41\377\0\0\20\0'
            printf '\43\0\0\20\0\0\0\0\1\0\0\0\0\10'
            printf '\43\0\0\20\0\0\0\0\1\0\0\0\0\10'
            printf '\54\0\0\0\0\0\0\0\0'
        done
    } | gzip -1 >a.$i
done
twice hprof-validate --threads=2
shape=
try granules hprof-validate --threads=2
try findings hprof-validate --threads=2
try below hprof-validate --threads=2
try findings hprof-validate --format=sarif --max-examples=1000000
try pools hprof-convert --to=text
try spelled hprof-convert --to=ndjson
try packages hprof-diff --by=package --format=html
try sites hprof-diff --by=site
try sites hprof-diff --by=site --format=csv
try traces hprof-diff --by=site --format=json
try traces hprof-diff --by=cpu
try heaps hprof-convert --standard
try heaps hprof-diff --by=heap
try loaders hprof-diff --by=loader
try modules hprof-diff --by=loader --retained --format=json
try modules hprof-diff --by=loader
try rivals hprof-diff --by=path
try tangled hprof-diff --by=path
try fields hprof-diff --by=path
try rivals hprof-diff --by=holder
try holders hprof-diff --by=holder
try again hprof-validate --level=graph
try owned hprof-diff --by=dominator --fail-if='a.*(static) retained-count>5'
# objects that wait for their finalizer, and the classes that a pattern might mean
try waiting hprof-diff --by=path
try waiting hprof-diff --retained
try waiting hprof-diff --why=a.Slow
try waiting hprof-diff --by=dominator
try waiting hprof-diff --by=reference
try weak hprof-diff --by=reference
try buffers hprof-diff --by=path --columns=native
try crowds hprof-diff --retained
try crowds hprof-diff --by=dominator
try waiting hprof-diff --object=0x4000000
try supers hprof-diff --object=0x1000
try dumps hprof-validate --secrets=all
# elements that a map and a list keep alive, where each entry of the map is nested
# in the entry before it; arrays of an enum with a long name, which may belong to
# hidden fields; labels of long lists
try queued hprof-diff --retained
try queued hprof-diff --retained --format=html
try constants hprof-diff --by=site --retained
try lists hprof-diff --by=dominator
try queued hprof-diff --by=dominator
try leaks hprof-validate --secrets=all --max-examples=1000000
try leaks hprof-convert --strip-matching=secrets,all
try named hprof-validate --secrets --max-examples=1000000
try named hprof-convert --strip-matching=secrets
try supers hprof-diff --filter=java.lang.Object
try chain hprof-diff --object=0x4000000 --show-values
try chain hprof-diff --filter=java/lang/Object
# many classes, fields and kinds of arrays, and a deep hierarchy of classes
for shape in supers chain lengths kinds; do
    try $shape hprof-diff --estimate
done
try symbols hprof-convert --to=pack
try supers hprof-convert --to=pack
echo "$ran options looked at"

# Memory: MiB, shape, program. First without --memory, then with it.
crafted packages >packages
crafted sites >sites
crafted spelled >spelled
crafted inherited >inherited
crafted dangling >dangling
crafted findings 2 >findings # more than there are examples kept
peak 25 hprof-diff --by=package packages || cat .err
peak 25 hprof-diff --by=package --format=html packages || cat .err
peak 25 hprof-diff --by=site sites || cat .err
peak 25 hprof-diff --by=site --memory=30M --threads=2 sites || cat .err
peak 45 hprof-convert --to=ndjson --threads=2 spelled || cat .err
peak 130 hprof-convert --to=ndjson --threads=2 dangling || cat .err
peak 150 hprof-validate --threads=2 findings
peak 180 hprof-validate --threads=2 --max-examples=1000000 --format=json findings
jq -c '[.files[0].rules[] | select(.count > 5 and (.examples | length) < 5 or
    (.examples | length) > 65536)], any(.files[0].rules[].examples; length > 5),
    any(.files[0].rules[]; .count == 100000)' .out
for file in inherited dangling; do
    peak 50 hprof-convert --threads=2 --memory=50M --to=ndjson $file
    [ $? -eq 2 ] && grep -c -e --memory .err
done
