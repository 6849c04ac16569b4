# If there is no problem, standard error is empty. A pipe gets no colours.
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
# A format may have no place for a check that was not possible. Then a message
# gives the reason for exit status 2.
fixture instance-class >b
for format in text json sarif junit github html rows tsv; do
    hprof-validate -q --level=graph --format=$format b >.out 2>.err
    echo "$? $format: $(cat .err)"
done
