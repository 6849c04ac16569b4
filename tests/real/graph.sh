# graph.sh - check the number of unreachable objects that hprof-validate counts
#
# The expected numbers come from an independent reader. The number must not depend
# on the number of threads, or on whether the input is a pipe. No field or element
# of an array may refer to an object of a wrong class.
#
# The expected numbers include unreachable class objects, which hprof-validate
# does not count. The script takes the number of these class objects from NDJSON:
# they have the depth null. hprof-validate follows weak references, so an object
# to which only a weak reference leads is not unreachable.
cut_off() { # cut_off DUMP: class objects that no root reaches
    hprof-convert --to=ndjson --graph --elements=none --dump=1 -q "$1" 2>err |
        grep '^{"record":"CLASS_DUMP"' | grep -c '"depth":null'
}
hidden() { # hidden DUMP: objects that only fields of java.lang.Class keep alive
    hprof-diff --retained --reachability=all --dump=1 --format=json -q "$1" \
        2>err | jq '.dumps[0].hidden_fields.objects // 0'
}
told() { # told OPTION... DUMP: objects; "limits" where it is not known
    hprof-validate --level=graph --dump=1 --max-examples=1 --format=json \
        "$@" >json 2>err || { echo "$name: exit $?"; head -n 3 err; }
    jq -r '.files[0] | if .limits then "limits" else
        [.rules[] | select(.rule == "unreachable").count] | add // 0 end' json
}
dumps=0
for truth in "$HPROF_REAL_DUMPS"/truth/graph/*.json; do
    [ -e "$truth" ] || continue
    name=$(basename "$truth" .json)
    dump=$HPROF_REAL_DUMPS/${name/__//}
    classes=$(cut_off "$dump")
    hidden=$(hidden "$dump")
    want=$(($(jq .unreachable "$truth") - classes))
    # two classes of it are reached by weak references alone
    [ "$name" != mat__oracle_jdk7_75_x64_directmemory.hprof ] ||
        want=$((want + 2))
    got=$(told "$dump")
    # the truth includes the objects of hidden fields, some of which are classes
    [ "$got" -le $((want - hidden + (hidden < classes ? hidden : classes))) ] &&
        [ "$got" -ge $((want - hidden)) ] ||
        echo "$name: $got cannot be reached, not $want - $hidden"
    want=$got
    jq -r '.files[0].rules[] | select(.rule == "ref-type-mismatch" or
        .rule == "ref-element-store") | .examples[0].message' json |
        sed "s|^|$name: |"
    case $name in
    hotspot__jhsdb_17.hprof | android__O.hprof)
        for t in 1 5; do
            got=$(told --threads=$t "$dump")
            [ "$got" = "$want" ] || echo "$name: $t threads: $got, not $want"
        done
        got=$(told - < <(cat "$dump"))
        [ "$got" = "$want" ] || echo "$name: pipe: $got, not $want"
        ;;
    esac
    dumps=$((dumps + 1))
done
[ "$dumps" -ge 32 ] || echo "only $dumps dumps have a truth"
exit 0
