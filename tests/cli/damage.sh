# The three programs agree on what damage is. For each error of hprof-validate
# (exit status 1), hprof-diff refuses the dump (2) unless --partial is given,
# which prints a note. hprof-convert refuses it (1) unless --raw is given. The
# kind of input, the row key and the number of threads make no difference.
# needs: pack text
need jq zstd gzip

# judge WANT FILE [WHAT]: check all programs; WANT is "damaged" or "sound".
judge() {
    local want=$1 file=$2 what=${3:-$2} got
    hprof-validate "$file" >.out 2>.err
    got=$?
    hprof-diff --all "$file" >.out 2>.err
    got="$got $?"
    hprof-convert "$file" >.out 2>.err
    got="$got $?"
    case $want:$got in
    damaged:'1 2 1' | sound:'0 0 0') ;;
    *) echo "$what: $want, but exit $got" ;;
    esac
}

# piped WANT FILE WHAT: like judge, from a pipe.
piped() {
    local want=$1 got
    cat "$2" | hprof-validate - >.out 2>.err
    got=$?
    cat "$2" | hprof-diff - >.out 2>.err
    got="$got $?"
    cat "$2" | hprof-convert - >.out 2>.err
    got="$got $?"
    case $want:$got in
    damaged:'1 2 1' | sound:'0 0 0') ;;
    *) echo "$3, pipe: $want, but exit $got" ;;
    esac
}

# wrapped WANT FILE WHAT: like judge, from a pipe, from a pack, and from gzip or
# zstd alternately; one of these comes through a pipe.
turn=0
wrapped() {
    piped "$@"
    turn=$((turn + 1))
    if [ $((turn % 2)) -eq 0 ]; then
        gzip -1 -c "$2" >w
        judge "$1" w "$3, gzip"
        zstd -q -1 -c "$2" >w
        piped "$1" w "$3, zstd"
    else
        zstd -q -1 -c "$2" >w
        judge "$1" w "$3, zstd"
        gzip -1 -c "$2" >w
        piped "$1" w "$3, gzip"
    fi
    hprof-convert -q --to=pack --force "$2" w.pack
    # a pack is unpacked without a check of the dump
    hprof-validate w.pack >.out 2>.err
    got=$?
    hprof-diff w.pack >.out 2>.err
    got="$got $?"
    hprof-convert --compress=zstd w.pack >.out 2>.err
    got="$got $?"
    case $1:$got in
    damaged:'1 2 0' | sound:'0 0 0') ;;
    *) echo "$3, pack: $1, but exit $got" ;;
    esac
}

# keys FILE WHAT: every row key refuses the dump with the same message.
keys() {
    local by
    hprof-diff "$1" >.out 2>want.err
    for by in --by=package --by=loader --by=heap --by=site --by=cpu \
        --threads=1 --threads=5 '--fillers=hide'; do
        hprof-diff "$by" "$1" >.out 2>.err
        [ $? -eq 2 ] || echo "$2: $by does not refuse"
        # additional messages of a row key come after it
        head -n 1 .err | cmp -s - want.err || echo "$2: $by: $(cat .err)"
    done
}

# partial FILE WHAT: with --partial the result says that it is partial. An input
# that is not a dump has no result.
partial() {
    hprof-diff --partial --format=json "$1" >json 2>.err
    # one jq process for each would take longer than everything else
    case $?:$(grep -o '"partial": [a-z]*' json) in
    0:'"partial": true') ;;
    2:) grep -qE 'not a heap|unknown version|is empty|identifiers|the header' \
        .err || echo "$2: --partial: $(cat .err)" ;;
    *) echo "$2: --partial: $(cat json)" ;;
    esac
}

# the rules that count as damage; the fixtures below have nearly all of them
hprof-validate --rules | while read -r rule severity _; do
    case $severity in
    error | warning | info) ;;
    *) continue ;;
    esac
    ! hprof-validate --explain="$rule" | grep -q ' error of this rule' || echo "$rule"
done
hprof-validate --explain=magic | sed -n '/ an error of this rule, /,/[.]$/p'

n=0
while read -r name size; do
    n=$((n + 1))
    fixture "$name" --id-size="$size" >a
    case $name in
    class-is-*)
        hprof-diff a >.out 2>.err || echo "$name: hprof-diff refuses"
        continue
        ;;
    esac
    judge damaged a "$name $size"
    partial a "$name $size"
    [ "$size" = 8 ] || continue
    wrapped damaged a "$name"
    keys a "$name"
done < <(fixtures invalid)
[ $n -gt 50 ] || echo "only $n fixtures"

# boundaries FILE: print the offsets of the records and their tags
boundaries() {
    od -An -v -tu1 "$1" | tr -s ' ' '\n' | awk 'NF { b[n++] = $1 } END {
        for (at = 31; at < n; at += 9 + len) {
            print at, b[at]
            len = (b[at + 5] * 256 + b[at + 6]) * 65536
            len += b[at + 7] * 256 + b[at + 8]
        }
    }'
}

# Truncate between any two records. If the dump had an end record, the
# truncation is always detected. After the first heap record it is tested with
# every kind of input. jhsdb also writes segments: compressed dumps, and those
# of at least 2 GB.
for world in 'hotspot25 8' 'art 4' 'native 8' 'dalvik 4' 'sa 8'; do
    # shellcheck disable=SC2086
    set -- $world
    fixture "$1" --id-size="$2" >whole
    if [ "$1" = sa ]; then
        hprof-convert -q --profile=1.0.2 whole >segments
        mv segments whole
    fi
    end=$(wc -c <whole)
    n=0
    heap=
    while read -r at tag; do
        [ "$at" -lt "$end" ] || break
        n=$((n + 1))
        head -c "$at" whole >a
        judge damaged a "$world cut at $at"
        [ "$tag" != 28 ] && [ "$tag" != 44 ] || heap=yes
        case $heap:$1 in
        yes:hotspot25 | yes:art | yes:sa)
            wrapped damaged a "$world cut at $at"
            partial a "$world cut at $at"
            ;;
        esac
    done < <(boundaries whole)
    [ $n -gt 20 ] || echo "$world: only $n records"
    judge sound whole "$world"
    wrapped sound whole "$world"
done

# complete files: those of the agent without a heap, or that end with one
for world in 'hotspot7 8' 'sa 8' 'agent 4'; do
    # shellcheck disable=SC2086
    set -- $world
    fixture "$1" --id-size="$2" >whole
    judge sound whole "$world"
done

# told WANT WHAT: hprof-diff and hprof-convert report this damage of the file a.
told() {
    local program
    for program in hprof-diff hprof-convert; do
        $program a >.out 2>.err
        grep -qF ": $1 [" .err || echo "$2: $(cat .err)"
    done
}

# a count of one has the singular
fixture hotspot25 --id-size=8 >whole
{ cat whole && printf '\1'; } >a
told '1 byte left, too few for a record' 'a byte behind the end'
{ cat whole && printf '\1\1'; } >a
told '2 bytes left, too few for a record' 'two bytes behind the end'
{ cat whole && printf '\167\0\0\0\0\0\0\0\1'; } >a
told 'the input ends inside an unknown record' 'an unknown record, cut'
hprof-validate a >.out 2>.err
grep -q ': 1 unknown tag after the last known record, wh' .out ||
    echo 'hprof-validate of one unknown record'
{ cat whole && printf '\167\0\0\0\0\0\0\0\0\167\0\0\0\0\0\0\0\1'; } >a
told '2 unknown records in a row' 'two unknown records, the last one cut'
# joined files: the second header is reported, whatever length it seems to give
joined='another dump, with a header of its own, begins here'
cat whole whole >a
told "$joined" 'two dumps, joined'
for size in +0 +1400000000; do # behind its length, and not
    truncate -s $size a
    hprof-validate a >.out 2>.err
    grep -c ", tag: $joined: it is not checked" .out
done
{ cat whole && printf 'JAVA PROG'; } >a
told 'the input ends inside an unknown record' 'no header of a dump'
