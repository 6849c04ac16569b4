# judge.sh NAME - compare the results for one real dump with truth/NAME.json
name=$1
truth=$HPROF_REAL_DUMPS/truth/$name.json
dump=$HPROF_REAL_DUMPS/${name/__//}
case $name in
trunc__* | hotspot__sa_8_32.hprof) want=1 verdict=invalid ;;
*) want=0 verdict=valid ;;
esac

# Its bytes, in a file: one of them has half a gigabyte.
plain=$dump
case $dump in
*.gz) gzip -dc "$dump" >given && plain=given ;;
esac

# --- hprof-validate

hprof-validate --format=json "$dump" >json 2>err
status=$?
[ $status -eq $want ] || { echo "validate: exit $status"; head -n 3 err; }
hprof-validate --strict --format=json "$dump" >strict 2>err
status=$?
[ $status -eq $want ] || {
    echo "validate --strict: exit $status"
    jq -c '.files[0].rules[] | select(.severity != "info") |
        [.rule, .severity, .count, .examples[0]]' strict
}
jq -r --arg verdict $verdict --slurpfile truth "$truth" '
    .files[0] as $got | $truth[0] |
    # where the file is cut, the truth counts the cut STRING, the result not
    (if $verdict == "invalid" then .records.STRING -= 1 else . end) as $want |
    ("bytes", "header", "id_size", "records", "subrecords", "references") |
    select($got[.] != $want[.]) |
    "\(.): \($got[.]) instead of \($want[.])"' json
grep -q "^      \"verdict\": \"$verdict\"," json || echo "not $verdict"

# The same bytes by other ways are the same result. (A process of jq takes ten
# times as long as sed.)
result() {
    sed '/^      "path": /d; /^      "compression": /d' "$1"
}
result json >want
[ "$(($(wc -l <json) - $(wc -l <want)))" -eq 2 ] || echo "no path in JSON"
check() {
    local what=$1
    shift
    "$@" >raw 2>err
    result raw >got
    cmp -s want got || {
        echo "validate by $what differs"
        diff want got | head -n 5
        head -n 3 err
    }
}
from_pipe() { cat "$plain" | hprof-validate --format=json -; }
from_zstd() { zstd -1 -q -c "$plain" | hprof-validate --format=json -; }
check threads=1 hprof-validate --format=json --threads=1 "$dump"
check pipe from_pipe
check zstd from_zstd

# --- hprof-diff

# The truth spells names half as the JVM does, and leaves CLASS DUMPs out.
rows() { # rows N: of dump N
    jq -S --argjson n "$1" '
        def source:
            if test("^\\[+([ZBCSIJFD]$|L.*;$)") then
                (capture("^(?<d>\\[+)(?<t>.*)$")) as $m |
                ({Z: "boolean", B: "byte", C: "char", S: "short", I: "int",
                  J: "long", F: "float", D: "double"}[$m.t]
                  // ($m.t | ltrimstr("L") | rtrimstr(";")))
                + ($m.d | gsub("\\["; "[]"))
            else . end;
        .dumps[$n - 1] | .classes as $classes | .histogram |
        to_entries | map({key: (.key | source), value}) |
        . + [{key: "java.lang.Class", value: $classes}] |
        group_by(.key) | map({(.[0].key): (map(.value) | add)}) | add
        ' "$truth"
}
# pathless: JSON without the dumps' names; same A B: so, and there is something
pathless() {
    sed 's/^    {"path": "[^"]*", /    {/'
}
same() {
    [ -s "$1" ] && cmp -s "$1" "$2"
}
dumps=$(jq '.dumps | length' "$truth")
for ((n = 1; n <= dumps; n++)); do
    hprof-diff --format=json --normalize=off --dump=$n "$dump" >rows.json 2>err ||
        { echo "diff --dump=$n: exit $?"; head -n 3 err; }
    rows $n >want.rows
    jq -S --argjson n $n --slurpfile truth "$truth" '
        $truth[0].dumps[$n - 1].objects as $want |
        ([.rows[] | {(.key | gsub("/0x"; "+0x")): .count[0]}] | add),
        (select(.dumps[0].objects != $want or .total.count[0] != $want) |
            "objects: \(.dumps[0].objects), \(.total.count[0]), not \($want)")
        ' rows.json >got.rows
    cmp -s want.rows got.rows || {
        echo "histogram of dump $n differs (< truth, > hprof-diff)"
        diff want.rows got.rows | head -n 10
    }
done
if [ $want -ne 0 ]; then
    hprof-diff "$dump" >rows.json 2>err
    [ $? -eq 2 ] || echo "diff of a damaged dump is not exit 2"
elif [ "$dumps" -gt 0 ]; then
    hprof-diff --exit-code "$dump" "$dump" >rows.json 2>err ||
        echo "diff with itself: exit $?"
    hprof-diff --format=json "$dump" | pathless >a
    cat "$plain" | hprof-diff --format=json --threads=1 - | pathless >b
    same a b || echo "diff of a pipe on one thread differs"
fi

# --- packs: the same bytes, the same results

hprof-convert --to=pack - dump.pack <"$plain" 2>err ||
    { echo "convert --to=pack: exit $?"; head -n 3 err; }
hprof-convert dump.pack 2>err | cmp - "$plain" ||
    echo "a pack does not give the original back"
size=$(stat -L -c %s "$plain")
if [ "$size" -lt 3000000 ] && command -v xz >/dev/null; then
    ours=$(stat -c %s dump.pack) theirs=$(xz -6 -T1 -c <"$plain" | wc -c)
    [ "$ours" -le "$theirs" ] ||
        echo "a pack of $ours bytes, xz -6 makes $theirs"
fi
check pack hprof-validate --format=json dump.pack
for by in class package loader; do
    for option in "" --hide; do
        [ -z "$option" ] || option=--fillers=hide
        hprof-diff --partial --by=$by $option --format=json "$plain" 2>err.a |
            pathless >a
        hprof-diff --partial --by=$by $option --format=json dump.pack 2>err.b |
            pathless >b
        cmp -s a b || echo "diff --by=$by $option of a pack differs"
        sed 's/^[^ ]* [^ ]*//' err.a >a
        sed 's/^[^ ]* [^ ]*//' err.b >b
        cmp -s a b || echo "diff --by=$by $option of a pack says other things"
    done
done
hprof-convert --strip-arrays --compress=none "$dump" stripped 2>err ||
    [ $want -ne 0 ] || { echo "strip: exit $?"; head -n 3 err; }
hprof-convert --to=pack --compress=zstd:19 --strip-arrays "$dump" \
    stripped.pack 2>err &&
    hprof-convert stripped.pack 2>err | cmp - stripped
rm -f dump.pack stripped.pack

# --- hprof-convert

hprof-convert --compress=none "$dump" plain 2>err
status=$?
[ $status -eq $want ] || { echo "convert: exit $status"; head -n 3 err; }
if [ $want -ne 0 ]; then
    [ ! -e plain ] || echo "convert left output of a damaged dump"
    exit 0
fi
cmp plain "$plain" || echo "plain conversion is not the original"
hprof-convert "$dump" out.zst 2>err || echo "convert to zstd: exit $?"
zstd -dqc out.zst | cmp plain - || echo "zstd -d is not the original"
hprof-convert "$dump" out.gz 2>err || echo "convert to gzip: exit $?"
gzip -dc out.gz | cmp plain - || echo "gzip -d is not the original"
rm -f out.zst out.gz
payload plain stripped >judge || { echo "stripped:"; cat judge; }
hprof-validate --strict stripped >out 2>err ||
    { echo "the stripped dump is not valid"; head -n 3 out; }
[ "$dumps" -eq 0 ] || hprof-diff --exit-code plain stripped >out 2>err ||
    { echo "the stripped dump has another histogram"; head -n 5 out; }
exit 0
