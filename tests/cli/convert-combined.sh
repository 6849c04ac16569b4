# Several transformations in one run give the same result as one run for each,
# in the order that the manual page gives. The order of the options and reading
# from a pipe make no difference, and no temporary file is left. step: run the
# transformations one after the other, each with one of the words; the result is
# b.
# needs: text
mkdir tmp
export TMPDIR=$PWD/tmp
step() {
    local n=0 word
    cp a s0
    for word in "$@"; do
        quiet hprof-convert "$word" s$n s$((n + 1))
        n=$((n + 1))
    done
    mv s$n b
    rm -f s[0-9]
}

# together FIXTURE WORD...: the words are in the order of the transformations.
together() {
    local name=$1 reversed= word
    shift
    fixture "$name" >a
    for word in "$@"; do
        reversed="$word $reversed"
    done
    step "$@"
    # shellcheck disable=SC2086
    quiet hprof-convert $reversed a c
    same_or_say "$name $*" b c
    # shellcheck disable=SC2086
    hprof-convert "$@" --threads=1 - <a 2>.err | cmp - c
    case " $* " in
    *' --to='*) ;;
    *)
        quiet hprof-validate c
        quiet hprof-convert --verify "$@" a d.zst
        quiet hprof-convert d.zst d
        same_or_say "$name $*, compressed" c d
        ;;
    esac
    rm -f b c d d.zst
}

together art --heaps=app --standard
together dalvik --heaps=app --standard --profile=1.0.1
together dalvik --heaps=app --standard --shape-only
together art --standard --strip-arrays=byte,char --to=text
together art --heaps=app --strip-fields --to=ndjson
together cut-array --salvage --shape-only
together cut-array --salvage --profile=1.0.1 --strip-fields
together garbage --salvage --to=ndjson
together cut-array --salvage --to=text
together hotspot --profile=1.0.1 --strip-arrays
together two-dumps --dump=1 --profile=1.0.2 --shape-only
together two-dumps --dump=2 --to=text
together two-dumps-102 --salvage --dump=2 --to=text

# tables: print all of them, with the dump's id
tables() {
    local name=$1
    shift
    fixture "$name" >a
    quiet hprof-convert "$@" a b
    hprof-convert --to=tables - <b >c || problem "$name $*: tables"
    hprof-convert --to=tables "$@" - <a >d || problem "$name $*: tables"
    same_or_say "$name $* --to=tables" c d
    quiet hprof-convert --to=tables "$@" a t
    [ "$(sed 1d t/dumps.tsv | cut -f2,3 | sort -u)" = "$(
        hprof-diff --format=rows b | jq -r '"\(.dump_id)\t\(.dump_id_of)"' |
            sort -u)" ] && looked || echo "$name $*: dump_id"
    rm -r b c d t
}
tables hotspot --shape-only
tables hotspot --strip-arrays=byte,char --keep-first=1
tables art --heaps=app --strip-fields
tables cut-array --salvage
tables dalvik --heaps=app --standard
tables hotspot
looked_at 6

# one dump of a file with several
for name in two-dumps two-dumps-102; do
    fixture "$name" >a
    for n in 1 2; do
        quiet hprof-convert --dump=$n a b
        hprof-validate --format=json --strict b >.out || echo "not valid"
        jq -c '.files[0].subrecords' .out | cmp - <(
            hprof-validate --format=json --dump=$n a |
                jq -c '.files[0].subrecords')
        hprof-diff --format=json b | jq -c '.rows[] |
            select(.key == "com.acme.Order") | .count'
        rm b
    done
    code hprof-convert --dump=3 a b
    sed 's/.*a: //' .err
done
fixture hotspot >b
quiet hprof-convert --dump=1 b c
same b c
left_over a b c tmp
no_temp
ls -A tmp
