# --salvage of dumps that are expensive for naive algorithms: damage everywhere,
# headers that claim far-away ends, class dumps with long tables, and tags only.
# Twice the bytes may take about twice the CPU time. If work were repeated for
# data that was searched before, it would take at least four times as long, or
# exceed the time limit.
case $BUILD in
*/release) ;;
*) skip "only a release build" ;;
esac
# repeat BYTES: repeat the standard input up to so many bytes
repeat() {
    cat >part
    while [ "$(wc -c <part)" -lt "$1" ]; do
        cat part part >twice
        mv twice part
    done
    head -c "$1" part
}
# cropped_segment: arrays without their elements, so that --salvage must doubt
# all other arrays
cropped_segment() {
    printf '\34\0\0\0\0\0\0\0\77' # 63 bytes
    printf '\43\0\0\0\0\1\0\100\0\0\0\0\1\0\0\0\3\10'
    printf '\43\0\0\0\0\1\0\120\0\0\0\0\1\0\0\0\7\10'
    printf '\43\0\0\0\0\1\0\140\0\0\0\0\1\0\0\0\7\12'
    printf '\5\0\0\0\0\1\0\40\0'
    printf '\34\0\0\0\0\0\0\0\0'
}
# shape NAME BYTES: write a dump of about so many bytes; cropped-NAME: after a
# segment whose arrays have no elements
shape() {
    case $1 in
    cropped-*)
        shape "${1#cropped-}" $(($2 + 5000)) >whole
        printf 'JAVA PROFILE 1.0.3'
        tail -c +19 whole | head -c 46
        cropped_segment
        tail -c +65 whole | head -c "$2"
        return
        ;;
    esac
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\10\0\0\0\0\0\0\0\0'
    # a class with its LOAD CLASS, and an object, so that --salvage knows
    # something
    printf '\2\0\0\0\0\0\0\0\30\0\0\0\1\0\0\0\0\1\0\20\0\0\0\0\1'
    printf '\0\0\0\0\0\0\0\1\34\0\0\0\0\0\0\0\0'
    printf '\40\0\0\0\0\1\0\20\0\0\0\0\1'
    head -c 48 /dev/zero
    printf '\0\0\0\0\0\0\0\0\0\0'
    printf '\41\0\0\0\0\1\0\40\0\0\0\0\1\0\0\0\0\1\0\20\0\0\0\0\0'
    case $1 in
    roots) # seven roots, two bytes that are nothing
        for _ in 1 2 3 4 5 6 7; do printf '\5\0\0\0\0\1\0\20\0'; done
        printf '\167\146'
        ;;
    far) # an array that reaches over a megabyte, and bytes that are nothing
        printf '\43\0\0\0\0\1\0\60\0\0\0\0\1\0\20\0\0\10\167\146'
        ;;
    near) # arrays of a known class, each of which claims the next ones
        printf '\42\0\0\0\0\1\0\60\0\0\0\0\1\0\0\0\11\0\0\0\0\1\0\20\0\146'
        ;;
    classes) # the head of a class dump with 8,192 statics
        printf '\40\0\0\0\0\1\0\20\0\0\0\0\1'
        head -c 48 /dev/zero
        printf '\0\0\0\0\0\0\40\0'
        for _ in 1 2 3; do printf '\0\0\0\0\0\0\0\1\10\0'; done
        ;;
    tags) # each byte may be the tag of a record and of a sub-record
        printf '\1\2\3\4\5\6\7\41\42\43\40\1\2\3\4\5\6\7\34\14\54'
        ;;
    chains) # heads of heap records, each of which may have all that follow
        printf '\34\0\0\0\0\0\200\0\0'
        for _ in 1 2 3 4; do printf '\5\0\0\0\0\1\0\20\0'; done
        ;;
    claims) # the same, and arrays that claim one byte too few
        printf '\34\0\0\0\0\0\100\0\1'
        printf '\43\0\0\0\0\1\0\60\0\0\0\0\1\0\20\0\0\10'
        printf '\43\0\0\0\0\1\0\60\0\0\0\0\1\0\0\0\46\10'
        ;;
    heaps) # heads of heap records
        printf '\34\0\0\0\0\0\1\0\0\5\0\0\0\0\1\0\20\0\5\0\0\0\0\1\0\20\0'
        ;;
    esac | repeat "$2"
}
# seconds NAME BYTES: print the user CPU time in hundredths of a second
seconds() {
    shape "$1" "$2" >in
    TIMEFORMAT=%U
    { time ( ulimit -t 60
        hprof-convert --threads=1 --salvage --null-dangling --force in out \
            >.out 2>.err; echo $? >status ); } 2>time
    [ "$(cat status)" -le 1 ] || echo "$1 $2: exit $(cat status)" >&2
    grep -o 'salvaged' .err >>said
    case $1 in
    cropped-*) grep -q 'without elements' .err || echo "$1: whole" >&2 ;;
    esac
    tr -d .\\n <time | sed 's/^0*//; s/^$/0/; s/.$//; s/^$/0/'
}
for name in roots far near classes tags heaps chains \
    cropped-{roots,far,near,classes,tags,heaps,chains,claims}; do
    once=$(seconds $name 3000000)
    twice=$(seconds $name 6000000)
    [ "$(cat status)" -le 1 ] || echo "$name: exit $(cat status)"
    [ "$twice" -le $((once * 3 + 30)) ] ||
        echo "$name: $once, then $twice hundredths of a second"
    [ -z "${VERBOSE:-}" ] || echo "$name $once $twice $(tail -1 .err)" >&2
done
# proof that it ran: the summary of each run
sort said | uniq -c
