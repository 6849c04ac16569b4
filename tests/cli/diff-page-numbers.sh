# Each number on the first screen of a page is a number of the JSON result, or the
# share that follows from it: for 32 pages. The sums and shares of the other
# parts of the page are those of the rows of the JSON result: for these pages,
# and for pages with stacks, owners and other rows.
need node
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >shop-before
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >shop-after
zstd -q -dc "$top/corpus/oom.hprof.zst" >oom
for name in leak-before leak-after registry registry-grown registry-inner \
    registry-inner-grown moved-before moved-after cache-before cache-many \
    finalizer-stuck finalized scattered alike mixed-statics rooted; do
    fixture $name >$name
done
for files in "shop-before shop-after" "shop-after shop-before" shop-after \
    oom "shop-before shop-after shop-before shop-after" "leak-before leak-after" \
    "registry registry-grown" "registry-inner registry-inner-grown" \
    "moved-before moved-after" "cache-before cache-many" \
    "cache-before finalizer-stuck" finalized scattered alike mixed-statics \
    rooted; do
    for by in class package; do
        # shellcheck disable=SC2086
        hprof-diff --by=$by --format=html $files >page.html
        # shellcheck disable=SC2086
        hprof-diff --retained --all --by=$by --format=json $files >result.json
        node "$top/tests/browser/say.js" page.html \
            'headline()' 'failedSentence()' 'partsSentence()' 'suspectsSentence()' \
            'PLACES.map((s, i) => drawSuspect(s, i).kids)' \
            'DATA.lead.cards.map(c => [drawCard(c).kids, "\n"])' >text
        node "$top/tests/browser/numbers.js" result.json text >out
        [ "$(cat out)" = compared ] || problem "$by $files: $(cat out)"
        node "$top/tests/browser/growth.js" page.html >out
        [ "$(cat out)" = same ] || problem "$by $files: $(cat out)"
        # shellcheck disable=SC2086
        hprof-diff --all --retained --by=$by --format=html $files >page.html
        # shellcheck disable=SC2086
        hprof-diff --all --by=package --format=json $files >packages.json
        node "$top/tests/browser/figures.js" page.html result.json \
            packages.json >out
        [ "$(cat out)" = same ] || problem "$by $files: $(cat out)"
        looked
    done
done
looked_at 32
fixture agent >agent
hprof-convert --to=text agent agent.txt 2>.err
sed 's/^Identifiers have.*/&\nhprof-agent: sample=64 lost=0 depth=4/' \
    agent.txt >sampled.txt
while read -r options; do
    # shellcheck disable=SC2086
    hprof-diff --all --format=html $options >page.html
    # shellcheck disable=SC2086
    hprof-diff --all --format=json $options >result.json
    hprof-diff --all --by=package --format=json shop-before shop-after \
        >packages.json
    node "$top/tests/browser/figures.js" page.html result.json packages.json \
        >out
    [ "$(cat out)" = same ] || problem "$options: $(cat out)"
    looked
done <<'END'
--quick shop-before shop-after
--by=site agent
--by=site --sites=records sampled.txt
--by=cpu agent
--by=dominator --retained shop-before shop-after
--by=dominator --retained registry
--by=holder shop-before shop-after
--by=path --retained shop-before shop-after
--by=loader --retained shop-before shop-after
END
looked_at 9
