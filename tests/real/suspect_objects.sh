# suspect_objects.sh - check that the first suspect of dumps with a known leak is
# the object to which the new objects were added. The script compares the id of
# the object. The label must describe the contents of the object.
pairs=$HPROF_REAL_DUMPS/suspects
[ -d "$pairs" ] || {
    echo "no pairs of dumps with a known leak"
    exit 77
}
# suspect NAME FIRST LAST INDEX ID LABEL: one suspect of a pair of dumps
suspect() {
    hprof-diff --retained --format=json "$pairs/$1-$2.hprof.zst" \
        "$pairs/$1-$3.hprof.zst" >json 2>err
    jq -r ".suspects[$4] | .object, .label" json >got
    printf '%s\n%s\n' "$5" "$6" >want
    cmp -s want got || {
        echo "$1: suspect $4"
        diff want got
    }
    # the suspects explain most of the growth, and never much more than all
    jq -e '.suspects_explain | .explained >= .growth * 0.7 and
        .explained <= .growth * 1.2' json >/dev/null || {
        echo "$1: the growth is not explained"
        jq -c .suspects_explain json
    }
}
suspect tomcat 5 6 0 0xe8b952b8 'list of 1,500 leak_jsp$CartItem'
suspect tomcat 5 6 1 0xe764ba98 'map of 6,301: String → StandardSession'
suspect ctx3 1 2 0 0xedb00220 'list of 1,500 Ctx$Item'
suspect sib300 1 2 0 0xf38165f8 'list of 1,500 Sib$Item'
suspect jruby 1 2 0 0xe1714f68 'RubyHash with 5,101 RubyHash$RubyHashEntry'
# one of the entries only marks where the list of entries begins and ends
jq -c '.suspects[0].elements' json >got
echo '[101,5101]' | diff - got
suspect finalizer 1 2 0 0xc00a6438 'finalizer queue of 4,499 Leaks$Slow'
# a stack refers to one of 499 old finalizers in the first dump: these have not
# grown, though the static field retains them only now
jq -c '.suspects[0] | .elements, .delta_retained_bytes' json >got
printf '[499,4499]\n2304000\n' | diff - got
suspect moved 1 2 0 0xffd1a8d8 'list of 1,500 Moved$Item'
suspect direct 1 2 0 0xc00206b8 'list of 1,000 DirectByteBuffer'
# the web application to which a class loader of Tomcat belongs
for name in e742c9c0-app e771ff38-examples e7794630-redeploy; do
    hprof-diff --object="0x${name%-*}" "$pairs/tomcat-6.hprof.zst" >got
    grep -qxF "class loader of webapp '${name#*-}'" got ||
        echo "the class loader of ${name#*-} has another name"
done
exit 0
