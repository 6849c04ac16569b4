# --level=graph: the findings are the same for every kind of input. The text and
# JSON say which checks were not possible. If memory is missing, the run is
# refused.
# needs: pack text
need jq zstd
graph() { # graph FILE...: the rules of this level and their counts
    hprof-validate --level=graph --format=json "$@" 2>.err | jq -c '.files[] |
        [.rules[] | select(.rule == "ref-type-mismatch" or
            .rule == "ref-element-store" or .rule == "unreachable") |
        [.rule, .count]], .not_checked, .limits'
}
fixture ring-unreachable >ring
fixture strings-as-orders >store
fixture instance-class >missing
graph ring store
# without --level=graph there are no such findings
hprof-validate --format=json ring | jq -c '.files[0] | .not_checked, .limits'

# for every compression, kind of input and number of threads
gzip -k ring
zstd -q ring
hprof-convert --to=pack --output=pack ring
hprof-validate --level=graph --format=json ring | jq .files[0].rules >want
for f in ring.gz ring.zst pack; do
    hprof-validate --level=graph --format=json $f | jq .files[0].rules >got
    same_or_say $f want got
done
for t in 1 2 5; do
    hprof-validate --level=graph --threads=$t --format=json ring |
        jq .files[0].rules >got
    same_or_say "$t threads" want got
done

# If no class has a root, the classes of the boot loader are roots. Objects of
# their static fields are reachable, and the rest of jhsdb's dump is not.
fixture sa >sa
fixture boot-static >boot
graph sa
for t in 1 3; do
    graph --threads=$t boot
    cat boot | graph --threads=$t -
done | sort | uniq -c

# if classes are missing, it is unknown what is reachable
graph missing
# a pipe is copied to an unnamed file, compressed as it is
for f in ring ring.gz; do
    cat $f | hprof-validate --level=graph --format=json - |
        jq .files[0].rules >got
    same_or_say "$f through a pipe" want got
done
hprof-validate --level=graph --format=json - <ring | jq .files[0].rules >got
same_or_say "standard input that is a file" want got
# a rule that cannot be checked for one dump is still checked for the other
fixture ring-unreachable >both
tail -c +32 missing >>both
graph both
# with little memory the graph of a large dump is in files
fixture many-fillers >many
hprof-validate --level=graph --format=json many | jq .files[0].rules >want
hprof-validate --level=graph --memory=12M --format=json many 2>.err |
    jq .files[0].rules >got
same_or_say "in files" want got
sed 's/[0-9]* MB/N MB/' .err
hprof-validate --level=graph --memory=12M -q many >.out 2>&1 || cat .out
# but its ids must fit into memory
echo "little memory:"
for o in "" --strict -q; do
    refused hprof-validate --level=graph --memory=4M $o --format=json many |
        sed 's/^2 [0-9]* /2 N /'
done
jq -c '.files[] | [.verdict, .rules]' .out
graph many

# two dumps in a file have a graph each
fixture two-dumps >two
graph two
graph --dump=2 two
# what was not decoded is not checked
fixture subtag-unknown >broken
hprof-validate --level=graph --format=json broken |
    jq -c '.files[0].not_checked | index("unreachable") != null'
# a disabled rule has no findings and no message that it was not possible
graph --disable=unreachable ring
graph --disable=unreachable missing
# a requested check that was not possible gives exit status 2
code hprof-validate --level=graph missing
code hprof-validate --level=graph --disable=unreachable missing
hprof-validate --level=graph --format=junit missing | grep 'skipped.*classes of some'
code hprof-validate --level=graph --severity=unreachable=error ring
# JUnit has these rules as skipped if they were not requested
hprof-validate --format=junit ring | grep -c 'only with --level=graph'
hprof-validate --format=junit --level=graph ring | grep -c '<skipped' || :
# a class has the name that its id had at that place, not in the last dump
fixture reused-class >two
for disable in class-serial-dup load-dup-diff; do
    hprof-validate --level=graph --disable=$disable -v two 2>.err |
        grep 'com.acme.* is unreachable'
done
# the allowed elements of an array are known, however many classes have the name
for name in misfit-plugins-few misfit-plugins; do
    fixture $name >many
    hprof-validate --level=graph -v many 2>.err | grep 'element class'
done
