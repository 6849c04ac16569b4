# hprof-validate and hprof-diff recognise the writer of a dump after every
# conversion, so that the habits of this writer cause no warnings.
# needs: pack text
need jq

# is FILE DIALECT WHAT: remember to compare this; one jq process compares all of
# them
is() {
    local status
    hprof-validate --strict --format=json "$1" >>validated 2>.err
    status=$?
    hprof-diff --all --format=json "$1" >>compared 2>.err
    printf '%s %s\t%s %s %s\t%s\n' $status $? 0 0 "$2" "$3" >>asked
}

# through DIALECT WHAT OPTION...: convert the dump a with these options and
# compare
through() {
    local dialect=$1 what=$2
    shift 2
    if hprof-convert -q --force "$@" a b >.out 2>.err; then
        is b "$dialect" "$what $*"
    else
        echo "$what $*: $(cat .err)"
    fi
}

while read -r name size; do
    fixture "$name" --id-size="$size" >a
    case $name in
    hotspot*) dialect=hotspot ;;
    sa*) dialect=sa ;;
    agent*) dialect=agent ;;
    hprofconv) dialect=hprof-conv ;;
    native) dialect=native-image ;;
    *) dialect=$name ;;
    esac
    is a $dialect "$name $size"
    hprof-convert -q --to=pack --force a a.pack
    hprof-convert -q --force a.pack b
    is b $dialect "$name $size, pack and back"
    is a.pack $dialect "$name $size, pack"
    through $dialect "$name $size" --salvage
    through $dialect "$name $size" --shape-only
    through $dialect "$name $size" --strip-strings --strip-fields=int
    through $dialect "$name $size" --dump=1
    case $name in
    art | dalvik)
        standard=hprof-conv
        through $dialect "$name $size" --heaps=app
        through $standard "$name $size" --standard
        through $standard "$name $size" --standard --profile=1.0.1
        through $standard "$name $size" --standard --heaps=app
        through $standard "$name $size" --standard --heaps=app \
            --prune-classes
        through $standard "$name $size" --standard --heaps=app \
            --prune-classes --profile=1.0.1 --shape-only
        through $standard "$name $size" --salvage --standard
        ;;
    *)
        for profile in 1.0.1 1.0.2; do
            through $dialect "$name $size" --profile=$profile
            through $dialect "$name $size" --profile=$profile --shape-only
            through $dialect "$name $size" --salvage --profile=$profile
        done
        # convert there and back
        hprof-convert -q --force --profile=1.0.1 a c
        hprof-convert -q --force --profile=1.0.2 c a
        is a $dialect "$name $size --profile=1.0.1, 1.0.2"
        ;;
    esac
done < <(all_worlds)
[ "$(wc -l <asked)" -gt 200 ] || echo "only $(wc -l <asked)"
jq -r '.files[0].dialect' validated >one
jq -r '.dumps[0].dialect' compared >two
for file in one two; do
    [ "$(wc -l <$file)" -eq "$(wc -l <asked)" ] || echo "$file: results missing"
done
paste one two asked | awk -F '\t' '{ got = $3 " " $1; want = $4 }
    got != want || $1 != $2 { print $5 ": " got ", hprof-diff " $2 ", not " want }'
