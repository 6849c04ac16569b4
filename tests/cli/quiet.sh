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
