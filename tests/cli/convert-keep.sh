# --keep leaves the contents of the given fields unchanged, whatever the order
# of the records. Everything else is stripped. The proof succeeds, and a pipe
# gives the same result. check KEEP: print the objects that differ from a plain
# strip, and how.
check() {
    quiet hprof-convert --strip-arrays --strip-fields --force a plain
    hprof-convert --strip-arrays --strip-fields "$@" --force a b 2>.err
    echo "$name $size: $(grep -o 'kept.*;' .err)$(grep -o 'warning.*' .err)"
    hprof-convert --strip-arrays --strip-fields "$@" --threads=1 - <a 2>.err |
        cmp - b
    for f in a plain b; do
        hprof-convert --to=ndjson $f 2>/dev/null >$f.json
    done
    # lines that differ from the plain strip are those of the input
    comm -13 <(sort plain.json) <(sort b.json) >kept
    comm -23 kept <(sort a.json) | sed 's/^/not as it was: /'
    jq -r 'select(.record != "STRING") | [.record, .class, .element_type] |
        @csv' kept | sort | uniq -c
}
for world in 'hotspot 8' 'hotspot 4' 'agent 4' 'art 4' 'classes-last 8' \
    'hotspot7 8'; do
    # shellcheck disable=SC2086
    set -- $world
    name=$1 size=$2
    fixture "$name" --id-size="$size" >a
    check --keep=java.lang.Thread#name
done
# subclasses; static fields; names with slashes; several fields; none
fixture hotspot >a
name=hotspot size=4
check --keep=com.acme.Order#next
check --keep=com.acme.RushOrder#next
check --keep=com.acme.Order#LAST
check --keep=java/lang/Thread#name --keep=nobody.Here#name
check --keep=java.lang.Thread#nothing
# together with strings, and with arrays only
quiet hprof-convert --shape-only --keep=java.lang.Thread#name --force a b
quiet hprof-convert --strip-arrays --keep=java.lang.Thread#name --force a b
for bad in a '#b' 'a#' 'a#b#c' ''; do
    code hprof-convert --strip-arrays --keep="$bad" a c
done
code hprof-convert --keep=a#b a c
code hprof-convert --strip-strings --keep=a#b a c
# Two dumps: a static field of the second refers to an object, and a field of
# the first to another. Only the last array, to which nothing refers, is
# stripped.
u4() { printf "\\x$(printf '%08x' "$1" | sed 's/../&\\x/g; s/\\x$//')"; }
# class_k STATICS FIELDS: the class dump of K; array ID: an array of three bytes
class_k() {
    printf '\x20'; u4 16; u4 0; u4 0; u4 0; u4 0; u4 0; u4 0; u4 0; u4 "$3"
    printf "\\0\\0\\0\\x$1"
    [ "$1" = 0 ] || { u4 2; printf '\2'; u4 300; }
    printf "\\0\\x$2"
    [ "$2" = 0 ] || { u4 2; printf '\2'; }
}
array() { printf '\x23'; u4 "$1"; u4 0; u4 3; printf '\x08%s' "$2"; }
{
    printf 'JAVA PROFILE 1.0.1\0'; u4 4; u4 0; u4 1000
    printf '\1'; u4 0; u4 5; u4 1; printf K
    printf '\1'; u4 0; u4 5; u4 2; printf f
    printf '\2'; u4 0; u4 16; u4 1; u4 16; u4 0; u4 1
    printf '\xc'; u4 0; u4 $((48 + 21 + 17))
    class_k 0 1 4
    printf '\x21'; u4 100; u4 0; u4 16; u4 4; u4 200
    array 200 abc
    printf '\xc'; u4 0; u4 $((52 + 2 * 17))
    class_k 1 0 0
    array 300 def
    array 200 ghi
} >two
sed 's/ghi/\x0\x0\x0/' two >want
quiet hprof-convert --strip-arrays --keep=K#f --force two b
same b want
# The superclass of K is missing, so it is unknown what the fields of K refer
# to.
{
    head -c 84 two
    printf '\xc'; u4 0; u4 $((48 + 21 + 17))
    printf '\x20'; u4 16; u4 0; u4 99; u4 0; u4 0; u4 0; u4 0; u4 0; u4 4
    printf '\0\0\0\0\0\1'; u4 2; printf '\2\x21'
    u4 100; u4 0; u4 16; u4 4; u4 200
    array 200 abc
} >half
sed 's/abc/\x0\x0\x0/' half >want
quiet hprof-convert --strip-arrays --keep=K#f --force half b
same b want
left_over a b plain a.json b.json plain.json kept two want half
no_temp
