# Nothing on standard error where all is well; no colour in a pipe.
fixture hotspot >a
for p in validate diff convert; do
    hprof-$p a >.out 2>.err
    [ -s .out ] || echo "hprof-$p puts out nothing"
    [ ! -s .err ] || { echo "hprof-$p says:"; cat .err; }
    [ $p = convert ] || { grep -c $'\033' .out; }
done
hprof-diff --color=always a >.out 2>.err
echo $?
grep -c $'\033' .out
# what could not be looked at, where the format has no place for it: exit 2 would
# be without a reason
fixture instance-class >b
for format in text json sarif junit github html rows tsv; do
    hprof-validate -q --level=graph --format=$format b >.out 2>.err
    echo "$? $format: $(cat .err)"
done
