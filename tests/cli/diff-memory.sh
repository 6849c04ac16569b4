# --memory too small for what is counted is refused, whatever is counted; with
# enough of it the result is the same.
fixture agent >g
fixture many-objects --id-size=8 >m
refused() {
    "$@" >.out 2>.err
    echo "$? $(wc -c <.out) $(cat .err)"
}
for by in class site package; do
    refused hprof-diff --memory=10KB --threads=2 --by=$by g
done
cat <m | refused hprof-diff --memory=10KB --threads=1 --by=loader -
cat <m | hprof-diff --memory=64MB --by=loader --format=json - >got
cat <m | hprof-diff --by=loader --format=json - >want
same want got
hprof-diff --memory=64MB --by=site --format=json g >got
hprof-diff --by=site --format=json g >want
same want got
