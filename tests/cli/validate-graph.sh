# --level=graph: the same findings however a dump comes, and what it could not
# do is said, in the text and in JSON; for want of memory it is refused.
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
# nothing is asked for, nothing is said
hprof-validate --format=json ring | jq -c '.files[0] | .not_checked, .limits'

# however it is packed, read and worked on
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

# without any root of a class those of the boot loader are roots: what a static
# of one names is reached, and the rest of jhsdb's world is not
fixture sa >sa
fixture boot-static >boot
graph sa
for t in 1 3; do
    graph --threads=$t boot
    cat boot | graph --threads=$t -
done | sort | uniq -c

# what roots reach is not known where classes are missing
graph missing
# a pipe is kept in a file without a name, as it comes
for f in ring ring.gz; do
    cat $f | hprof-validate --level=graph --format=json - |
        jq .files[0].rules >got
    same_or_say "$f through a pipe" want got
done
hprof-validate --level=graph --format=json - <ring | jq .files[0].rules >got
same_or_say "standard input that is a file" want got
# a rule that one dump keeps from being applied still tells of the other
fixture ring-unreachable >both
tail -c +32 missing >>both
graph both
# the graph of a large dump lies in files where there is little memory
fixture many-fillers >many
hprof-validate --level=graph --format=json many | jq .files[0].rules >want
hprof-validate --level=graph --memory=12M --format=json many 2>.err |
    jq .files[0].rules >got
same_or_say "in files" want got
sed 's/[0-9]* MB/N MB/' .err
hprof-validate --level=graph --memory=12M -q many >.out 2>&1 || cat .out
# but for the ids
echo "little memory:"
for o in "" --strict -q; do
    refused hprof-validate --level=graph --memory=4M $o --format=json many |
        sed 's/^2 [0-9]* /2 N /'
done
jq -c '.files[] | [.verdict, .rules]' .out
graph many

# two dumps in a file: each has its own
fixture two-dumps >two
graph two
graph --dump=2 two
# what is not decoded is not judged
fixture subtag-unknown >broken
hprof-validate --level=graph --format=json broken |
    jq -c '.files[0].not_checked | index("unreachable") != null'
# a rule that is off is off, and nothing is said of what it could not do
graph --disable=unreachable ring
graph --disable=unreachable missing
# what was asked for and not done is no success
code hprof-validate --level=graph missing
code hprof-validate --level=graph --disable=unreachable missing
hprof-validate --level=graph --format=junit missing | grep 'skipped.*classes of some'
code hprof-validate --level=graph --severity=unreachable=error ring
# JUnit has these rules as skipped where they were not asked for
hprof-validate --format=junit ring | grep -c 'only with --level=graph'
hprof-validate --format=junit --level=graph ring | grep -c '<skipped' || :
# a class is called what its id was at that place, not in the last dump
fixture reused-class >two
for disable in class-serial-dup load-dup-diff; do
    hprof-validate --level=graph --disable=$disable -v two 2>.err |
        grep 'com.acme.* is unreachable'
done
# what an array may have is known, however many classes have the name
for name in misfit-plugins-few misfit-plugins; do
    fixture $name >many
    hprof-validate --level=graph -v many 2>.err | grep 'element class'
done
