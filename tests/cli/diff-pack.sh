# Comparing packs gives the same as comparing dumps, even if the tables of the
# pack cannot be used: several dumps, Android heaps, damage.
# needs: pack
need jq
{ worlds; echo leak-before 8; echo leak-after 8; echo many-objects 8
  echo two-dumps 4; echo heap-id-change 4; echo cut-instance 8
  echo segment-empty 8; echo segment-after-end 8; echo classes-last 8
  echo unpatched 8; echo object-dup 8; } |
while read -r name size; do
    fixture "$name" --id-size="$size" >a
    cp a a.pack
    hprof-convert --to=pack --force a a.pack 2>.err || cat .err
    for options in "" --by=package --by=loader "--by=class --all --partial" \
        "--partial --dump=1"; do
        # shellcheck disable=SC2086
        hprof-diff $options --format=json a >one 2>one.err
        one=$?
        # shellcheck disable=SC2086
        hprof-diff $options --format=json a.pack >two 2>two.err
        [ $? = $one ] || echo "$name $options: exit $one for the dump only"
        sed -i 's/a\.pack/a/' two two.err
        cmp -s one two || echo "$name $options: differ"
        cmp -s one.err two.err || echo "$name $options: messages differ"
    done
done
fixture leak-before --id-size=8 >a
fixture leak-after --id-size=8 >b
hprof-convert --to=pack a a1.pack
hprof-convert --to=pack b b1.pack
hprof-diff --quick a b >one
hprof-diff --quick a1.pack b1.pack | sed 's/\([ab]\)1\.pack/\1/g' >two
same one two
# with a layout, counting from the tables: unpacking would need more memory.
# Without one, the ids are needed, too, to measure sizes.
fixture many-objects --id-size=8 >many
hprof-convert --to=pack many many.pack
hprof-diff --memory=22MB --layout=mat --format=json many |
    sed 's/"many"/"many.pack"/' >one
peak 22 hprof-diff --memory=22MB --layout=mat --format=json many.pack
cp .out two
same one two
# several at the same time and one by one give the same, in any order
cp a1.pack sound.pack
head -c 1500 a1.pack >cut.pack
{ head -c 200 b1.pack; printf '\377'; tail -c +202 b1.pack; } >bad.pack
fixture art >art
hprof-convert --to=pack --force art art.pack
: >empty.pack
for inputs in "a1.pack b1.pack sound.pack a1.pack b1.pack" \
    "a1.pack cut.pack b1.pack bad.pack sound.pack" \
    "cut.pack a1.pack" "a1.pack art.pack b1.pack" "a1.pack none.pack bad.pack" \
    "a1.pack b b1.pack" "empty.pack a1.pack"; do
    for options in "" "--by=package --all" --partial --memory=22MB \
        --memory=300MB; do
        # shellcheck disable=SC2086
        hprof-diff --threads=1 $options --format=json $inputs >one 2>one.err
        one=$?
        for threads in 2 8; do
            # shellcheck disable=SC2086
            hprof-diff --threads=$threads $options --format=json $inputs \
                >two 2>two.err
            [ $? = $one ] || echo "$inputs, $options: exit $one with one thread"
            cmp -s one two || echo "$inputs, $options: differ"
            cmp -s one.err two.err ||
                echo "$inputs, $options: messages differ"
        done
    done
done
# if nothing of the dump is left, the message is about the pack, not about an
# empty dump
head -c 60 a1.pack >stump.pack
hprof-diff stump.pack a1.pack 2>&1
echo $?
# a dump that was truncated between two sub-records before it was packed, and a
# pack without its last byte
fixture many-objects >m
for n in 0 1 2; do
    head -c $(($(wc -c <m) - 9 - n * 24)) m >cut
    hprof-convert -q --force --to=pack cut cut.pack
    hprof-diff cut >.out 2>/dev/null
    one=$?
    hprof-diff cut.pack >.out 2>/dev/null
    echo $one $?
done
head -c -1 a1.pack >short.pack
hprof-diff short.pack 2>&1
echo $?
# a changed byte, also in parts that are counted without unpacking
bytes=$(wc -c <a1.pack)
for at in $(seq 16 $((bytes / 60)) $((bytes - 1))); do
    {
        head -c "$at" a1.pack
        head -c $((at + 1)) a1.pack | tail -c 1 | tr '\000-\377' '\001-\377\000'
        tail -c +$((at + 2)) a1.pack
    } >bad.pack
    hprof-diff bad.pack >.out 2>.err
    status=$?
    hprof-validate bad.pack >.out 2>.err
    # damage only in the directory is a warning, because nothing of the dump is
    # lost
    case $?:$status in
    1:2 | 0:0) ;;
    *) echo "byte $at: exit $status" ;;
    esac
done
# id 0 and an impossible instance length are also detected in a pack
for name in object-zero instance-long instance-short; do
    fixture $name >m
    hprof-convert -q --force --to=pack m cut.pack
    hprof-diff m 2>&1 | sed 's/: m:/: cut.pack:/' >one
    hprof-diff cut.pack >two 2>&1
    same one two
done
