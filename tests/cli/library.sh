# Test libhprof from an installed tree: the exported symbols, the examples in C
# and Python, and the library's counts, checks and histograms compared with
# those of the programs.
need jq make pkg-config cc nm
case $BUILD in
*release) ;;
*) skip "the library is built in the release variant" ;;
esac
top=$(cd "$(dirname "$2")/../.." && pwd)
make -s -C "$top" install DESTDIR="$PWD/root" PREFIX=/usr >make.log ||
    cat make.log
export PKG_CONFIG_SYSROOT_DIR=$PWD/root
export PKG_CONFIG_PATH=$PWD/root/usr/lib/pkgconfig
export LD_LIBRARY_PATH=$PWD/root/usr/lib
so=root/usr/lib/libhprof.so.0

echo "-- what the installed texts link to, and scripts that can be started"
(cd root/usr/share/doc/hprof && grep -roE --include='*.md' '\]\([^)#:]+' .) |
    while IFS=: read -r text link; do
        link=$(dirname "$text")/${link#*(}
        [ -s "root/usr/share/doc/hprof/$link" ] || echo "$text: $link"
        looked
    done
looked_at 15+
find root/usr/share/doc -type f ! -perm -u+x -exec grep -l '^#!' {} + |
    grep -v '[.]py$'

echo "-- exported"
nm -D --defined-only $so | awk '$2 == "T" { print $3 }'
echo "-- named in the header, but not there"
grep -oE '\bhprof_[a-z_0-9]+\(\)' "$top/include/hprof.h" | tr -d '()' | sort -u |
    while read -r name; do
        nm -D --defined-only $so | grep -q " T $name\(@.*\)\?\$" || echo "$name"
        looked
    done
looked_at 10+
echo "-- never called"
nm -D --undefined-only $so |
    grep -wE 'exit|_exit|abort|puts|printf|stdout|stderr|signal|raise' || true

echo "-- built from the installed tree"
build() {
    # shellcheck disable=SC2046
    cc -std=c99 -Wall -Wextra -Werror "$1" -o "$2" \
        $(pkg-config --cflags --libs hprof) || echo "cannot build $1"
}
build "$top/docs/library/histogram.c" histogram
build "$top/docs/library/strings.c" strings
build "$top/tests/library/records.c" records
build "$top/tests/library/check.c" check
build "$top/tests/library/layout.c" layout
# link with the static library by its path, and with the other libraries that
# the pkg-config file lists
# shellcheck disable=SC2046
cc "$top/docs/library/histogram.c" -o static $(pkg-config --cflags hprof) \
    root/usr/lib/libhprof.a $(pkg-config --libs --static hprof |
        sed 's/-lhprof\b//') || echo "cannot link statically"
if command -v c++ >/dev/null; then
    printf '#include <hprof.h>\nint main() { return hprof_version_number() == 0; }\n' >cxx.cc
    # shellcheck disable=SC2046
    c++ cxx.cc -o cxx $(pkg-config --cflags --libs hprof) && ./cxx ||
        echo "cannot be used from C++"
fi
./layout

echo "-- the examples say what hprof-diff says"
dump=$top/corpus/shop-after.hprof.zst
hprof-diff --format=csv --sort=bytes "$dump" >diff.csv
tail -n +2 diff.csv | head -n 10 | awk -F, '{ print $2 "\t" $3 "\t" $1 }' >want
./histogram "$dump" >c
same want c
./static "$dump" >static.out
same want static.out
if command -v python3 >/dev/null; then
    python3 "$top/docs/library/histogram.py" "$dump" >py
    same want py
else
    echo same
fi
./histogram nowhere.hprof 2>&1
./histogram 2>&1
echo "exit $?"
./strings 2>&1
echo "exit $?"
if command -v python3 >/dev/null; then
    python3 "$top/docs/library/histogram.py" 2>&1
    echo "exit $?"
else
    printf 'usage: histogram.py DUMP\nexit 2\n'
fi
./strings "$dump" | sort >strings.out
hprof-convert --to=ndjson "$dump" | jq -r 'select(.record ==
    "INSTANCE_DUMP" and .class == "java.lang.String") |
    "\(.id)\t\(.fields.value.id)"' | sort >strings.want
same strings.want strings.out
wc -l <strings.out

# Compare the library's three interfaces with the programs' results for each
# dump. One jq process for each interface, because jq is slow.
echo "-- next to the programs"
worlds >list
fixtures valid >>list
fixtures invalid >>list
sort -u list >all
while read -r name size; do
    fixture "$name" --id-size="$size" >"$name-$size.hprof"
done <all
cp "$top"/corpus/*.hprof* .
files=(*.hprof*)
[ ${#files[@]} -eq $(($(wc -l <all) + $(ls "$top"/corpus/*.hprof* | wc -l))) ] ||
    echo "only ${#files[@]} are compared"
[ ${#files[@]} -gt 100 ] && echo "more than 100 dumps"
hprof-validate --format=json "${files[@]}" >v.json 2>.err

# equal WHAT: compare the files want and got, which have lines for each dump
equal() {
    same_or_say "$1" want got
    [ "$(wc -l <got)" -gt 100 ] || echo "$1: too few"
    diff want got | head -n 5
}

# only hprof-convert reads version 1.0 (2)
for how in read map; do
    for file in "${files[@]}"; do
        ./records "$file" $how >got.raw 2>got.err
        case $? in
        2) continue ;;
        3 | 4) echo "$file: $how: an item or a handler is not as promised" ;;
        esac
        # an input that cannot be opened has no result
        [ ! -s got.raw ] || echo "{\"path\":\"$file\",\"got\":$(<got.raw)}"
    done >records.$how
    jq -n -S -c --slurpfile v v.json 'INDEX($v[0].files[]; .path) as $all |
        inputs | $all[.path] as $v |
        select($v.verdict == "valid" and $v.limits == null) |
        [.path, .got, ($v | {records, subrecords})]' records.$how >both
    jq -c '.[0, 1]' both >got
    jq -c '.[0, 2]' both >want
    equal "$how"
done
jq -r '.files[] | "-- \(.path)", "\(.verdict) \(.references.checked // 0) \(
    .references.null // 0) \(.references.dangling // 0)",
    (.rules[] | ([.severity, .rule, .count] + [.examples[].offset]) |
        map(tostring) | join(" "))' v.json >want
./check check "${files[@]}" >got
equal check
whole=() damaged=()
for file in "${files[@]}"; do
    if hprof-diff --format=json "$file" >d.json 2>.err; then
        whole+=("$file")
        cat d.json >>diffs
    else
        damaged+=("$file")
    fi
done
jq -r '.dumps[0] as $d | "-- \($d.path)", "\($d.dialect) whole",
    (.rows | sort_by(.key) | sort_by(-.bytes[0]) | .[] |
        "\(.count[0])\t\(.bytes[0])\t\(.key)"),
    "\(.total.count[0])\t\(.total.bytes[0])\ttotal"' diffs >want
./check histogram "${whole[@]}" >got
equal histogram
[ ${#whole[@]} -gt 100 ] && [ ${#damaged[@]} -gt 50 ] ||
    echo "${#whole[@]} whole, ${#damaged[@]} damaged"
./check histogram "${damaged[@]}" >got
grep -c '^-- ' got | grep -qx ${#damaged[@]} || echo "damaged ones: left out"
grep -B 1 '^[^ ]* whole$' got # hprof-diff calls them damaged
rm -f ./*.hprof*

echo "-- every function has a manual page, every page's function is exported"
nm -D --defined-only $so | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' |
    sort >functions
ls root/usr/share/man/man3 | sed 's/\.3$//' | grep -vx hprof | sort >pages
comm -3 functions pages
[ "$(wc -l <pages)" -gt 30 ] || echo "only $(wc -l <pages) pages"

echo "-- uninstalled"
make -s -C "$top" uninstall DESTDIR="$PWD/root" PREFIX=/usr
find root -type f -o -type l
