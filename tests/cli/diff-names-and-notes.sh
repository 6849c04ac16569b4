# Standard input has a name in every report for people. A note that holds for
# several dumps is printed once. What a report leaves out is mentioned.
need jq zstd
fixture leak-before >a
fixture leak-after >b
for format in table markdown; do
    hprof-diff --quick --format=$format - b <a | grep -c 'standard input'
done
hprof-diff --quick --format=html - b <a >page
grep -o '<title>[^<]*' page
grep -o '<li><code>standard input' page
# programs get the argument
hprof-diff --quick --format=json - b <a | jq -c '[.dumps[].path]'
hprof-diff --quick --format=csv --fail-if='*Order count>1' - <a >.out
echo $?
# the total counts all rows, also those that --filter hides
hprof-diff --quick --filter='*Order' a b | tail -n 1
hprof-diff --quick --by=package --filter='no.such*' b 2>.err | tail -n 1
hprof-diff --quick b | tail -n 1
# one explanation for all dumps
fixture finding-weakly-reachable >weak
for dumps in weak 'a weak' 'weak weak weak'; do
    # shellcheck disable=SC2086
    hprof-diff --retained $dumps | grep -c '^weakly reachable: only weak references'
done
# With any --memory, the search for waste either finds the waste of this dump, or
# the report has the note that the search did not fit.
zstd -q -dc "$(dirname "$2")/../../corpus/shop-after.hprof.zst" >waste
for ((kb = 22600; kb < 25600; kb += 400)); do
    hprof-diff --threads=1 --memory=${kb}KB waste >table 2>.err || continue
    grep -q 'not known: the object graph' table && continue
    looked
    grep -q '^!  waste: ' table && continue
    grep '^waste and duplicate strings were not checked' table ||
        problem "$kb KB: neither waste nor a note"
done | sort -u
looked_at 3+
