# Comparing packs gives what comparing the dumps gives, also where the short
# way through a pack does not go: several dumps, Android's heaps, damage.
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
        same_or_say "$name $options" one two
        same_or_say "$name $options: messages" one.err two.err
    done
done
fixture leak-before --id-size=8 >a
fixture leak-after --id-size=8 >b
hprof-convert --to=pack a a1.pack
hprof-convert --to=pack b b1.pack
hprof-diff a b | sed 's/^\([12]\)  [ab] /\1 /' >one
hprof-diff a1.pack b1.pack | sed 's/^\([12]\)  [ab]1.pack /\1 /' >two
same one two
