# Tables have as many edges as hprof-validate checked references, and the
# objects and bytes that hprof-diff reports. Threads, compression and archives
# make no difference.
cells() { # TABLE: its rows as JSON by the names of its columns
    jq -R -s -c 'split("\n")[:-1] | map(split("\t")) | .[0] as $names | .[1:][] |
        [$names, .] | transpose | map({key: .[0], value: .[1]}) | from_entries' "$1"
}
some_fixtures() {
    printf '%s 4\n' art agent dalvik leak-after
    printf '%s 8\n' hotspot sa mat leak-after instance-long hostile-names cell-names static-boolean
    command fixture --list | cut -f1 | grep -x 'two-dumps\|two-dumps-102\|native' |
        sed 's/$/ 8/'
}
some_fixtures | while read -r name size; do
    command fixture "$name" --id-size="$size" >a 2>.err || continue
    hprof-convert --to=tables a t 2>.err || continue
    looked
    [ "$(grep -c '	\(field\|static\|element\)	' t/edges.tsv)" = "$(
        hprof-validate --format=json a | jq '.files[0].references.checked')" ] ||
        echo "$name: edges"
    for dump in $(tail -n +2 t/dumps.tsv | cut -f1); do
        [ "$(tail -n +2 t/dumps.tsv | awk -F '\t' -v d="$dump" '$1 == d {
            print $9, $10 }')" = "$(hprof-diff --dump="$dump" --format=json a |
            jq -r '.dumps[0] | "\(.objects) \(.bytes)"')" ] ||
            echo "$name: dump $dump"
        # by class: objects and bytes
        awk -F '\t' -v d="$dump" 'NR > 1 && $1 == d { n[$4]++; b[$4] += $7 }
            END { for (k in n) print k, n[k], b[k] }' t/objects.tsv |
            sed 's/\\\\/\\/g; s/^\\x3D/=/' | LC_ALL=C sort >got
        hprof-diff --normalize=off --dump="$dump" --format=json a |
            jq -r '.rows[] | "\(.key) \(.count[0]) \(.bytes[0])"' |
            LC_ALL=C sort >want
        same_or_say "$name: dump $dump: classes" got want
    done
    for table in t/*.tsv; do
        awk -F '\t' 'NR == 1 { n = NF } NF != n { exit 1 }' "$table" ||
            echo "$name: $table: cells"
    done
    # collections and duplicates, as --by=waste of the last dump has them
    last=$(tail -n 1 t/dumps.tsv | cut -f1)
    {
        awk -F '\t' 'NR > 1 { k = $3 == "java.lang.String" ? "strings" : "arrays"
            n[k] += $5; b[k] += $6 }
            END { for (k in n) print "duplicate-" k, n[k], b[k] }' t/duplicates.tsv
        awk -F '\t' 'NR > 1 && $8 > 0 { k = $4 ? "sparse" : "empty"; n[k]++; b[k] += $8 }
            END { for (k in n) print k "-collections", n[k], b[k] }' t/collections.tsv
    } | LC_ALL=C sort >got
    hprof-diff --by=waste --dump="$last" --format=json a 2>/dev/null |
        jq -r '.rows[] | select(.rollup) | select(.key | test("^duplicate|(sparse|empty)-coll")) |
            "\(.key) \(.count[0]) \(.waste[0])"' | LC_ALL=C sort >want
    [ -s want ] || : >want
    cmp -s got want || { echo "$name: waste"; diff got want || true; }
    rm -rf t
done
looked_at 9+
# the same for a dump of a JVM, and a row of each table
zstd -q -dc "$(dirname "$2")/../../corpus/shop-after.hprof.zst" >shop
hprof-convert --to=tables shop t
cells t/duplicates.tsv | jq -s -c '[map(select(.class == "java.lang.String")) |
    (map(.count | tonumber) | add), (map(.waste | tonumber) | add),
    (map(.dedup | tonumber) | add)]'
cells t/collections.tsv | jq -c 'select(.holder | test("Shop.SESSIONS|Shop.BUS|CartListener")) |
    [.class, .size, .capacity, .used, .waste, .holder]' | sort | uniq -c
for threads in 1 3; do
    hprof-convert --to=tables --threads=$threads shop u
    diff t/duplicates.tsv u/duplicates.tsv && diff t/collections.tsv u/collections.tsv &&
        echo "threads make no difference"
    rm -r u
done
# a stripped dump has no duplicates
hprof-convert -q --strip-arrays --to=tables shop u
wc -l <u/duplicates.tsv
rm -r t u
# threads, compression, pipes; an archive has the same files
fixture hotspot >a
zstd -q a -o a.zst
hprof-convert --to=tables a t
for from in a.zst -; do
    for threads in 1 3; do
        hprof-convert --to=tables --threads=$threads $from u <a
        diff -r -x dumps.tsv t u
        diff <(cut -f1-3,5- t/dumps.tsv) <(cut -f1-3,5- u/dumps.tsv)
        rm -r u
    done
done
for o in '>x.tar' x.tar x.tar.gz x.tgz x.tar.zst x.tzst; do
    eval "hprof-convert --force --to=tables a $o"
    mkdir u
    tar -xf x.t* -C u
    diff -r t u && echo "as the folder: $o"
    rm -r u x.t*
done
ls t
# the row of a root, and of a thread with its frames
cells t/edges.tsv | jq -c 'select(.kind == "field") | [.from_class, .name,
    .to_class]' | sort | uniq -c | sort -rn | head -n 3
cells t/roots.tsv | jq -r .kind | sort | uniq -c
cells t/threads.tsv | jq -c '[.serial, .class, .name]'
cells t/frames.tsv | jq -c '[.class, .method, .line]' | head -n 2
# A thread's name comes from the heap if no START THREAD has it. Each dump has
# its own, as in hprof-diff. Tested with all layouts of String.
for f in hotspot hotspot25 hotspot7 hotspot5 sa mat art dalvik hprofconv agent; do
    for size in 4 8; do
        fixture $f --id-size=$size >old 2>.err || continue
        hprof-convert --to=tables old names-$f-$size
        grep 'java.lang.Thread' names-$f-$size/threads.tsv | cut -f6
    done
done | sort | uniq -c
fixture hotspot >a
{
    cat a
    LC_ALL=C sed 's/main/a\tb\\/g' a | tail -c +32
} >two
hprof-convert --to=tables --threads=1 two two-1
hprof-convert --to=tables --threads=3 - two-3 <two
same two-1/threads.tsv two-3/threads.tsv
cells two-1/threads.tsv | jq -r '[.dump, .name] | join(" ")'
# a stripped name is not shown
hprof-convert --strip-arrays=byte,char a blank
hprof-convert --to=tables blank blank-tables
cells blank-tables/threads.tsv | jq -c .name
# A name that is a char[], shown up to 120 characters; a null name; a missing
# name; and an object that was dumped twice, which has its first name
u4() { # u4 N...
    for n; do
        printf "\\$(printf %o $((n >> 24 & 255)))\\$(printf %o $((n >> 16 & 255)))"
        printf "\\$(printf %o $((n >> 8 & 255)))\\$(printf %o $((n & 255)))"
    done
}
head_of() { # head_of TAG LENGTH
    printf "\\$(printf %o "$1")" && u4 0 "$2"
}
thread() { # thread SERIAL OBJECT NAME: its root and its object
    printf '\10' && u4 "$2" "$1" 0
    printf '\41' && u4 "$2" 0 32 4 "$3"
}
{
    printf '\40' && u4 32 0 0 0 0 0 0 0 4 && printf '\0\0\0\0\0\1' && u4 2 && printf '\2'
    thread 1 256 512
    thread 2 272 0
    thread 3 288 528
    printf '\41' && u4 256 0 32 4 0
    printf '\43' && u4 512 0 200 && printf '\5'
    printf '\0x%.0s' {1..200}
} >heap
{
    printf 'JAVA PROFILE 1.0.2\0' && u4 4 0 0
    head_of 1 20 && u4 1 && printf java/lang/Thread
    head_of 1 8 && u4 2 && printf name
    head_of 2 16 && u4 1 32 0 1
    head_of 12 "$(wc -c <heap)" && cat heap
} >chars
hprof-convert --to=tables chars chars-tables
cells chars-tables/threads.tsv | jq -c '[.serial, .class, .name]'
# names count for --memory
crafted threads 8 >many
code hprof-convert --to=tables --memory=64M many many-tables
cat .err
code hprof-convert --to=tables --memory=1GB many many-tables
tail -n 1 many-tables/threads.tsv
# the class of a class object is java.lang.Class
cells t/objects.tsv | jq -r 'select(.kind == "class") | .class' | uniq
# elements of primitive arrays only on request
cells t/objects.tsv | jq -r .elements | sort -u
hprof-convert --to=tables --elements=3 a e
cells e/objects.tsv | jq -r 'select(.kind == "primitive_array") |
    [.class, .length, .elements] | join(" ")' | sort | uniq | head -n 5
# the dump_id of rows for databases
[ "$(cells t/dumps.tsv | jq -r .dump_id)" = \
    "$(hprof-diff --format=rows a | jq -r .dump_id | head -n 1)" ] && echo "id"
# names and paths with tabs and similar characters become cells
fixture hostile-names >$'a\tb\\'
hprof-convert --to=tables $'a\tb\\' h
cells h/dumps.tsv | jq -r .path
LC_ALL=C grep -c '[^[:print:]	]' h/classes.tsv || true
# characters that would end a cell or a line, and the spelling of NULL, are text
fixture cell-names >names
hprof-convert --to=tables names n
hprof-diff --normalize=off --format=json names |
    jq -r '.rows[].key | select(test("^com|^java|]$") | not)' | LC_ALL=C sort >want
cells n/objects.tsv | jq -r 'select(.kind == "instance") | .class |
    gsub("\\\\\\\\"; "\\") | select(test("^com|^java") | not)' | LC_ALL=C sort >got
same want got
cat got
for table in n/*.tsv; do
    [ "$(LC_ALL=C grep -c '[^[:print:]	]' "$table")" = 0 ] || echo "$table: control bytes"
done
# the folder's name may end with slashes, also in the sandbox
hprof-convert --to=tables a s/
mkdir -p sub
hprof-convert --to=tables a sub/s//
cmp s/objects.tsv t/objects.tsv && cmp sub/s/objects.tsv t/objects.tsv && echo slashes
# If an id was dumped several times, only the first dump has edges, as in the
# graph. Here an array is dumped again with other elements, and an object is
# also a class.
fixture leak-after --id-size=8 >a
hprof-convert --to=ndjson a | jq -r 'select(.record == "OBJECT_ARRAY_DUMP" and
    .element_count > 3) | "\(.offset) \(25 + 8 * .element_count)"' |
    head -n 1 >array
read -r at size <array
hprof-convert --to=ndjson a | jq -r 'select(.record == "HEAP_DUMP_SEGMENT") |
    "\(.offset) \(.length)"' | head -n 1 >segment
read -r from length <segment
{
    head -c $((from + 9 + length)) a
    printf '\34\0\0\0\0'
    printf "\\$(printf %o $((size >> 24 & 255)))\\$(printf %o $((size >> 16 & 255)))"
    printf "\\$(printf %o $((size >> 8 & 255)))\\$(printf %o $((size & 255)))"
    tail -c +$((at + 1)) a | head -c $((size - 8))
    head -c 8 /dev/zero
    tail -c +$((from + 9 + length + 1)) a
} >again
for f in a again; do
    hprof-convert --to=tables $f $f-tables
    for threads in 1 3; do
        hprof-convert --to=ndjson --edges --threads=$threads - <$f |
            grep -c '"EDGE"'
    done
done
same a-tables/edges.tsv again-tables/edges.tsv
wc -l <a-tables/objects.tsv
wc -l <again-tables/objects.tsv
# An array of 8.8 MB comes in pieces. References at its ends and in its middle
# have the right element numbers, and its row has the size of all elements.
nulls() { # nulls N
    head -c $((4 * $1)) /dev/zero
}
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\0'
    printf '\1\0\0\0\0\0\0\0\5\0\0\0\1A\1\0\0\0\0\0\0\0\10\0\0\0\2[LA;'
    printf '\2\0\0\0\0\0\0\0\20\0\0\0\1\0\0\0\20\0\0\0\0\0\0\0\1'
    printf '\2\0\0\0\0\0\0\0\20\0\0\0\2\0\0\0\24\0\0\0\0\0\0\0\2'
    printf '\14\0\0\0\0\0\206\107\170'
    for class in 20 24; do
        printf "\\40\\0\\0\\0\\$class" && nulls 7 && head -c 10 /dev/zero
    done
    printf '\41\0\0\0\40\0\0\0\0\0\0\0\20\0\0\0\0'
    printf '\42\0\0\0\60\0\0\0\0\0\41\221\300\0\0\0\24'
    printf '\0\0\0\40' && nulls 1000000
    printf '\0\0\0\40' && nulls 1199997 && printf '\0\0\0\40'
} >long
hprof-convert --to=tables long long-tables 2>&1
grep -v '^dump' long-tables/objects.tsv
grep element long-tables/edges.tsv
