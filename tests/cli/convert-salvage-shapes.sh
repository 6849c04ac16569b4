# --salvage of dumps with special damage: two dumps joined with cat, very many
# dumps in a file, a segment whose length was never written, a pack with a
# flipped bit.
# needs: pack text
objects() {
    hprof-validate --format=json "$1" 2>.err |
        jq '.files[0].subrecords | .INSTANCE_DUMP + .PRIMITIVE_ARRAY_DUMP'
}
need jq
# The second of two dumps has ids of its own. The first one is the result, and
# the message says where the second begins.
fixture hotspot --id-size=8 >a
fixture leak-after --id-size=4 >b
cat a b >two
code hprof-convert --salvage two c
sed 's/.*warning: //; s/[0-9][0-9]*/N/g' .err | tail -n 1
quiet hprof-convert --salvage a d
same c d
for program in 'hprof-validate' 'hprof-diff'; do
    $program two >.out 2>.err
    echo "$? $program two"
done
rm -f a b c d two
# bytes after a complete dump are lost, but not its end
for stray in '\1' '\1\2\3\4\5\6\7\11\12\13\14\15'; do
    # shellcheck disable=SC2059
    { fixture hotspot25 --id-size=8 | tee a && printf "$stray"; } >b
    hprof-convert --salvage --force b c 2>.err
    sed 's/.*salvaged/salvaged/' .err
    same a c
    echo "$(wc -c <a) bytes"
done
rm -f a b c
# 80,000 dumps of two arrays, each with a root that refers to nothing
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\0'
    printf '\14\0\0\0\0\0\0\0\41%s' '' >one
    printf '\43\0\0\20\0\0\0\0\1\0\0\0\0\10' >>one
    printf '\43\0\0\40\0\0\0\0\1\0\0\0\0\10' >>one
    printf '\377\0\0\17\0' >>one
    for _ in 1 2 3 4 5 6 7 8; do cat one; done >all
    for _ in 2 3 4 5; do
        mv all part
        for _ in 1 2 3 4 5 6 7 8 9 10; do cat part; done >all
    done
    cat all
} >a
hprof-convert --salvage --null-dangling a b 2>&1 |
    sed 's/.*salvaged/salvaged/'
# under sanitizers the process has no limit of address space that backs --memory
case $BUILD in
*/release)
    code hprof-convert --salvage --null-dangling --memory=26M a c >said
    grep -q '^2 ' said || cat said
    grep -q ': the tables for this input do not fit in --memory; allow' .err ||
        cat .err
    ;;
esac
rm -f a b one part all
# a segment of length 0 contains everything that follows
fixture many-objects --id-size=8 >a
whole=$(objects a)
{
    head -c 31 a
    printf '\34\0\0\0\0\0\0\0\0'
    for i in 0 1 2 3 4 5 6 7; do
        # shellcheck disable=SC2059
        printf "\\43\\0\\0\\0\\0\\0\\1\\$i\\0\\0\\0\\0\\1\\0\\20\\0\\0\\10"
        head -c 1048576 /dev/zero
    done
} >b
hprof-convert --salvage b c 2>&1 | sed 's/.*salvaged/salvaged/'
objects c
rm -f b c
# one bit of a pack: the second block is lost, after 4 MiB
quiet hprof-convert --to=pack a p
at=$(($(wc -c <p) / 10 * 9))
byte=$(od -An -tu1 -j $at -N 1 p)
# shellcheck disable=SC2059
printf "\\$(printf %o $((byte ^ 4)))" |
    dd of=p bs=1 seek=$at conv=notrunc 2>.err
quiet hprof-convert --salvage --force p c
kept=$(objects c)
[ "$kept" -ge $((whole * 3 / 5)) ] || echo "a pack: $kept of $whole kept"
# An undamaged dump that has only classes, each a subclass of the one before. No
# object confirms these classes, but all of them are kept.
crafted chain 1 >chain
code hprof-convert --salvage chain out
grep -o 'salvaged: .*' .err
# three dumps of the agent, with a record between the first two
{
    printf 'JAVA PROFILE 1.0.1\0\0\0\0\4\0\0\0\0\0\0\0\0'
    for behind in '\3\0\0\0\0\0\0\0\4\0\0\0\1' '' ''; do
        printf '\14\0\0\0\0\0\0\0\46\377\0\0\20\0'
        printf '\43\0\0\20\0\0\0\0\1\0\0\0\0\10'
        printf '\43\0\0\40\0\0\0\0\1\0\0\0\0\10\377\0\0\40\0'
        # shellcheck disable=SC2059
        printf "$behind"
    done
} >three
code hprof-convert --salvage three out --force
grep -o 'salvaged: .*' .err
hprof-validate --format=json out | jq '.files[0].records.HEAP_DUMP_END'
# roots before a damaged root; the first is of a thread without an object
{
    printf 'JAVA PROFILE 1.0.1\0\0\0\0\4\0\0\0\0\0\0\0\0'
    printf '\14\0\0\0\0\0\0\0\165'
    printf '\10\0\0\0\0\0\0\0\1\0\0\0\1'
    printf '\377\0\0\20\0\377\0\0\40\0\167\0\0\40\0\377\0\0\40\0'
    for i in 1 2 3 4 5 6; do
        # shellcheck disable=SC2059
        printf "\\43\\0\\0\\$i"'0\0\0\0\0\1\0\0\0\0\10'
    done
} >roots
code hprof-convert --salvage roots out --force
grep -o 'salvaged: .*' .err
hprof-validate --format=json out | jq -c '.files[0].subrecords'
# Many roots, with two extra bytes. After these, one byte of each root looks
# like a root's tag by accident. No root before them may be lost.
for i in $(seq 64); do
    # shellcheck disable=SC2059
    printf "\\1\\120\\0\\0\\$(printf %o "$i")\\0\\0\\1\\$(printf %o "$i")"
done >roots
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\0'
    printf '\34\0\0\0\0\0\0\2\242'
    head -c 290 roots
    printf '\7\7'
    tail -c +291 roots
    for i in 1 2 3 4 5 6 7; do
        # shellcheck disable=SC2059
        printf "\\43\\120\\0\\0\\$i\\0\\0\\0\\1\\0\\0\\0\\0\\10"
    done
    printf '\54\0\0\0\0\0\0\0\0'
} >row
code hprof-convert --salvage row out --force
grep -o 'salvaged: .*' .err
hprof-validate --format=json out | jq -c '.files[0].subrecords'
# Two dumps of an agent with records between them. The first heap record claims
# to be shorter than it is. Its end is found by the contents of the segments, or
# by the end of the dump.
for i in $(seq 20); do
    # shellcheck disable=SC2059
    printf "\\43\\20\\0\\0\\$(printf %o "$i")\\0\\0\\0\\1\\0\\0\\0\\1\\10A"
done >arrays
for lost in 2 9; do
    {
        printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\0'
        for dump in 1 2; do
            printf '\34\0\0\0\0\0\0\1\54'
            head -c 153 arrays
            tail -c +$((dump == 1 ? 154 + lost : 154)) arrays
            printf '\54\0\0\0\0\0\0\0\0'
            for i in 1 2 3 4; do
                # shellcheck disable=SC2059
                printf "\\1\\0\\0\\0\\0\\0\\0\\0\\6\\0\\0\\$dump\\${i}ab"
            done
        done
    } >two
    code hprof-convert --salvage two out --force
    grep -o 'salvaged: .*' .err
    hprof-validate --format=json out | jq -c '.files[0] |
        [.records.HEAP_DUMP_END, .subrecords.PRIMITIVE_ARRAY_DUMP]'
done
