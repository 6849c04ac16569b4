# Each number on the first screen of a page is a number of the JSON result, or the
# share that follows from it: for 30 pages.
need node
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >shop-before
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >shop-after
for name in leak-before leak-after registry registry-grown registry-inner \
    registry-inner-grown moved-before moved-after cache-before cache-many \
    finalizer-stuck finalized scattered alike mixed-statics rooted; do
    fixture $name >$name
done
for files in "shop-before shop-after" "shop-after shop-before" shop-after \
    "shop-before shop-after shop-before shop-after" "leak-before leak-after" \
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
            'headline()' 'partsSentence()' 'suspectsSentence()' \
            'PLACES.map((s, i) => drawSuspect(s, i).kids)' \
            'DATA.lead.cards.map(c => [drawCard(c).kids, "\n"])' >text
        node "$top/tests/browser/numbers.js" result.json text >out
        [ "$(cat out)" = compared ] || problem "$by $files: $(cat out)"
        node "$top/tests/browser/growth.js" page.html >out
        [ "$(cat out)" = same ] || problem "$by $files: $(cat out)"
        looked
    done
done
looked_at 30
