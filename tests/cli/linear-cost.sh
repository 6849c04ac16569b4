# Crafted dumps of some megabytes (tests/crafted.c): names of a megabyte that
# all classes share, a chain of 60,000 superclasses, a stack of a million frames
# for every class, ids spread thinly, and tens of thousands of dumps. Each run
# gets 60 s of CPU time and 2 GB of address space. An algorithm that repeats
# work for each reference to something large would need minutes or tens of
# gigabytes. The longest run takes two seconds, or 20 on virtual machines where
# page faults are expensive, because each dump of a file has its own buffers.
# (tests/check-cost uses twice the size and every option.)
case $BUILD in
*/release) ;;
*) skip "only a release build" ;;
esac
limited() {
    ( ulimit -t 60 -v 2000000; exec "$@" 2>.err </dev/null ) | tail -c 9 >.out
    echo "${PIPESTATUS[0]} $([ -s .out ] || echo 'silent ')$*"
}
for shape in names loads chain stacks stretches dumps segments; do
    crafted $shape 0.5 >a || echo "crafted $shape: $?"
    limited hprof-validate --threads=2 a
    limited hprof-validate --threads=2 --level=graph --memory=100MB a
    limited hprof-diff --threads=2 --by=class a
    case $shape in
    stacks) limited hprof-diff --threads=2 --by=site --site-depth=9 a ;;
    *) limited hprof-diff --threads=2 --by=loader a ;;
    esac
    limited hprof-convert --threads=2 --to=ndjson a
    limited hprof-convert --threads=2 --shape-only a
    limited hprof-convert --threads=2 --to=pack a
done | sort | uniq -c | sed 's,^ *,,'
