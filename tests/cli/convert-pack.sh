# --to=pack: every input can be restored exactly, and the pack does not depend
# on the number of threads. All three programs read a pack. A message about
# damage gives the block and its range.
# needs: pack text
need jq gzip
{ worlds; echo many-objects 8; } |
while read -r name size; do
    fixture "$name" --id-size="$size" >a
    quiet hprof-convert --to=pack a a.pack
    quiet hprof-convert a.pack b
    same_or_say "$name" a b
    hprof-convert --to=pack --threads=1 - <a >c.pack 2>.err
    same_or_say "$name, one thread, piped" a.pack c.pack
    hprof-convert --threads=1 - <a.pack 2>.err >b
    same_or_say "$name, back through pipes" a b
    hprof-validate --format=json a | jq '.files[0] | del(.path)' >a.json
    hprof-validate --format=json a.pack |
        jq '.files[0] | del(.path) | .compression = "none"' >b.json
    same_or_say "$name, validate" a.json b.json
    hprof-diff --format=json a >a.json 2>.err
    hprof-diff --format=json a.pack 2>.err | sed 's/a\.pack/a/' >b.json
    same_or_say "$name, diff" a.json b.json
    rm -f a.pack b c.pack
done
# any bytes
printf '' >empty
head -c 3000 a >part
printf 'no dump at all' >text
for f in empty part text; do
    quiet hprof-convert --to=pack --compress=zstd:19 $f $f.pack
    quiet hprof-convert $f.pack $f.back
    if [ $f = empty ]; then # same() wants bytes
        [ -e $f.back ] && [ ! -s $f.back ] && echo same
    else
        same $f $f.back
    fi
done
# with other options, and inside another compression
fixture hotspot >a
quiet hprof-convert -q --to=pack --strip-arrays a s.pack
quiet hprof-convert -q --strip-arrays a s
quiet hprof-convert s.pack s.back
same s s.back
quiet hprof-convert --to=pack --verify a a.pack
quiet hprof-convert --raw --compress=gzip a.pack a.gz
gzip -dc a.gz | cmp - a
# damage
size=$(stat -c %s a.pack)
{ head -c 1000 a.pack; printf '\1\2\3\4'; tail -c +1005 a.pack; } >bad.pack
code hprof-convert bad.pack b
sed 's/([0-9]* bytes/(N bytes/' .err
hprof-validate --format=json bad.pack | jq -c '.files[0] |
    [.verdict, (.rules[] | select(.rule | startswith("pack")) | .rule, .count)]'
head -c $((size - 60)) a.pack >short.pack
code hprof-convert short.pack b
{ cat a.pack; printf 'more'; } >trailing.pack
head -c $((size - 30)) a.pack >directory.pack
printf '\1\2\3\4' >>directory.pack
tail -c 26 a.pack >>directory.pack
for f in short trailing directory; do
    hprof-validate --format=json $f.pack | jq -c '.files[0] | [.verdict,
        (.rules[] | select(.rule | startswith("pack")) | .rule, .severity)]'
done
quiet hprof-convert directory.pack b
same a b
# the blocks of a compressed input end at the same places as those of the plain
# input
fixture many-objects >m
hprof-convert -q --profile=1.0.2 m g
hprof-convert -q --to=pack g g.pack
for kind in gzip zstd; do
    hprof-convert -q --compress=$kind g g.one
    hprof-convert -q --compress=$kind g.pack g.two
    same g.one g.two
    rm g.one g.two
done
