# Each number on the first screen of a page is a number of the JSON result, or the
# share that follows from it: for 38 pages. The sums and shares of the other
# parts of the page are those of the rows of the JSON result: for these pages,
# and for pages with stacks, owners and other rows. What the page shows when a
# row is opened is computed again from the JSON result and compared.
# needs: text
need node
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >shop-before
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >shop-after
zstd -q -dc "$top/corpus/oom.hprof.zst" >oom
for name in leak-before leak-after registry registry-grown registry-inner \
    registry-inner-grown registry-inner-away moved-before moved-after \
    cache-before cache-many finalizer-stuck finalized scattered alike \
    mixed-statics rooted agent plugin-objects-before plugin-objects-after \
    together-after moved-and-new; do
    fixture $name >$name
done
# checks NAME SCRIPT ARGUMENT...: let each.js run the script at the end, and keep what
# it prints in the file NAME.
checks() {
    local IFS=$'\t'
    printf '%s\n' "$*" >>list
}
# figures NAME OPTION... FILE...: check the figures of a page with all rows
n=0
figures() {
    hprof-diff --all --format=html "${@:2}" >$n.all.html
    checks "$1" figures $n.all.html $n.json packages.$m.json
}
# details NUMBER FILE...: the results from which drawer.js computes the details of
# classes
details() {
    for by in holder loader site; do
        hprof-diff --all --by=$by --format=json "${@:2}" >$by.$1
    done
}
m=0
for files in "shop-before shop-after" "shop-after shop-before" shop-after \
    oom "shop-before shop-after shop-before shop-after" "leak-before leak-after" \
    "registry registry-grown" "registry-inner registry-inner-grown" \
    "registry-inner registry-inner-away" \
    "moved-before moved-after" "cache-before cache-many" \
    "cache-before finalizer-stuck" finalized scattered alike mixed-statics \
    rooted agent "plugin-objects-before plugin-objects-after"; do
    m=$((m + 1))
    # shellcheck disable=SC2086
    hprof-diff --all --by=package --format=json $files >packages.$m.json
    # shellcheck disable=SC2086
    details $m $files
    for by in class package; do
        n=$((n + 1))
        # shellcheck disable=SC2086
        hprof-diff --by=$by --format=html $files >$n.html
        # shellcheck disable=SC2086
        hprof-diff --retained --all --by=$by --format=json $files >$n.json
        checks $n.text say $n.html \
            'headline()' 'failedSentence()' 'partsSentence()' 'suspectsSentence()' \
            'PLACES.map((s, i) => drawSuspect(s, i).kids)' \
            'DATA.lead.cards.map(c => [drawCard(c).kids, "\n"])'
        checks "$n.numbers" numbers $n.json $n.text
        checks "$n.growth" growth $n.html
        # shellcheck disable=SC2086
        figures "$n.figures" --retained --by=$by $files
        [ $by = package ] ||
            checks "$n.drawer" drawer $n.all.html $n.json {holder,loader,site}.$m
        echo "$by $files" >$n.name
    done
done
hprof-convert --to=text agent agent.txt 2>.err
sed 's/^Identifiers have.*/&\nhprof-agent: sample=64 lost=0 depth=4/' \
    agent.txt >sampled.txt
m=1 # the packages of shop-before and shop-after
while read -r options; do
    n=$((n + 1))
    # shellcheck disable=SC2086
    hprof-diff --all --format=json $options >$n.json
    # shellcheck disable=SC2086
    figures $n.figures $options
    case $options in
    --by=dominator* | --why=* | *--stacks* | --by=waste*)
        checks "$n.drawer" drawer $n.all.html $n.json
        ;;
    esac
    echo "$options" >$n.name
done <<'END'
--quick shop-before shop-after
--by=site agent
--by=site --sites=records sampled.txt
--by=cpu agent
--by=waste shop-before shop-after
--by=waste shop-after
--by=thread --stacks shop-before shop-after
--by=thread --stacks oom
--by=thread --stacks together-after
--by=thread --stacks moved-before moved-and-new
--by=dominator --retained shop-before shop-after
--by=dominator --retained registry
--by=holder shop-before shop-after
--why=java.util.HashMap$Node shop-before shop-after
--why=Shop* shop-after
--by=path --retained shop-before shop-after
--by=loader --retained shop-before shop-after
END
node "$top/tests/browser/each.js" <list || problem "node failed"
for kind in numbers=compared growth=same figures=same drawer=same; do
    for file in *."${kind%=*}"; do
        read -r -d '' said <"$file"
        [ "$said" = "${kind#*=}" ] ||
            problem "$file, $(cat "${file%.*}.name"): $said"
        looked
    done
done
looked_at 160
