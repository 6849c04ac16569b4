# The texts that the script of the HTML report computes; node runs the script
# without a browser.
need node
top=$(dirname "$2")/../..
for name in registry registry-grown registry-inner registry-inner-away; do
    fixture $name >$name
done
# an object of a static field to which a stack also refers has one owner
hprof-diff --retained --format=html registry registry-grown >page
page_says page 'DATA.growth.bars.map(b => [b.name, " ", b.text, "\n"])' \
    'suspectsSentence()'
# the labels at the axes differ: seconds, days, and numbers without a time
hprof-diff --format=json registry >first
hprof-diff --format=json registry-grown >last
timed() { sed "s/\"timestamp_ms\": *[0-9]*/\"timestamp_ms\": $2/" "$1"; }
for times in "1000 2000 3500" "1000 86401000 172801000" "1000 1000 1000"; do
    read -r a b c <<<"$times"
    timed first $((1000000000000 + a)) >one
    timed last $((1000000000000 + b)) >two
    timed last $((1000000000000 + c)) >three
    hprof-diff --format=html one two three >trend
    page_says trend 'DATA.trend.times.join()' 'DATA.trend.ticks.map(t => [t[1], " "])'
done
# unknown growth is not a share of the growth
hprof-diff --retained --format=html registry-inner registry-inner-away >page
page_says page 'suspectsSentence()' 'drawSuspect(DATA.suspects[0], 0).kids[0]'
# moved objects, by path
fixture moved-before >a
fixture moved-after >b
hprof-diff --by=path --format=json a >saved
for first in a saved; do
    hprof-diff --by=path --format=html $first b >page
    page_says page 'DATA.rows.filter(r => r.moved).map(r => movedText(r, movedOf(r)))' \
        'nameCell(DATA.rows.find(r => r.moved))'
done
# a saved result has no suspects
hprof-diff --by=path --format=html saved >page
page_says page 'suspectsSentence()'
# the packages are those of --by=package, also for truncated names and those of
# the agent's text
page_says page 'packageOf("Order...#0123456789abcdef")' \
    'packageOf("com.acme.Order...#0123456789abcdef[]")' \
    'packageOf("com.acme.T$$Lambda$1.295530567")' 'packageOf("com.acme.Order[]")'
# the headline counts the objects of the dumps, of one heap, and of rows that
# count objects several times
fixture art >art
for option in --by=class --by=holder --by=dominator --heap=app; do
    hprof-diff $option art | sed -n 's/.*  \(.* objects, .*\)  (.*/\1/p'
    hprof-diff $option --format=html art >page
    page_says page 'headline()'
    grep -o '<h1>.*</h1>' page
done
hprof-diff --heap=app --format=html art art >page
page_says page 'DATA.whole.map(x => [x, " "])' 'headline()'
# each suspect has the box of its object, also where its classes are in many
# boxes, and each step of its path leads to the row of a class
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >shop-before
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >shop-after
for files in "shop-before shop-after" shop-after "registry registry-grown" \
    registry-inner; do
    # shellcheck disable=SC2086
    hprof-diff --format=html $files >page
    page_says page 'PLACES.map((s, i) => boxes[ANSWER.suspects[i].box]).map((b, i) =>
        [b.kind === PLACES[i].class ? "" : "NOT ", b.name, " in ", b.up.name,
        ", ", placesIn(b).join(), placesOf(b.kind).join(), "\n"])' \
        '[DATA.suspect_words.heading, ": ", suspectLinks([0])]' \
        'sections()[0].join()'
done
# Two equally large objects in one box: the name of the class decides which of them
# the box shows, not the address.
for name in equal-statics equal-statics-swapped; do
    fixture $name >$name
    hprof-diff --format=html $name >page
    page_says page 'boxes.filter(b => /held/.test(b.name)).map(b => [b.name, " ", b.kind])'
done
page_says page '["Order.items", "Order.ALL (static)", "Order[*]", "system class Order",
    "Order"].map(s => (rowOf.set("Order", {key: "row"}), rowOfStep(s).key, 1))'
# the page lists five rows of a gate, and counts the others
for gate in "java.lang.S* count>0" "java.lang.Str* count>0" "total bytes>1KB"; do
    hprof-diff --fail-if="$gate" --format=html shop-after >page
    page_says page 'gateMeasure(DATA.gates[0], 0)'
done
# the panel of threads: stacks, local variables, and how much they retain
fixture hotspot >threads
zstd -q -dc "$top/corpus/oom.hprof.zst" >oom
for dump in threads oom; do
    hprof-diff --by=thread --stacks --format=html $dump >page
    page_says page 'DATA.stacks.map(drawThread).map(x => [x, "\n"])'
done
# how the page writes values of ThreadLocals; diff-page-numbers checks local
# variables that keep a suspect alive
page_says page '(DATA.texts = ["", "retains 1.0 KB", "2 × ", "keeps suspect 2 alive"],
    DATA.thread_texts = [[0, 1, 0, 1, 3, 2, 1, 0]], drawThread({key: "main", frames: [
    {frame: "Shop.run", locals: [{class: "Cart"}]}], thread_locals: [
    {field: "Shop.BUFFER", class: "byte[]"}]}, 0))'
# class loaders of a finding, and what keeps them alive
page_says page '(DATA.findings = [{id: "duplicate-classes", text: "3 classes",
    advice: "Close them.", loaders: [{class: "WebLoader", object: "0x10",
    path: "Shop.KEEP (static)", meaning: "a static field"},
    {class: "Other", object: "0x20"}]}], findingsList())'
# many local variables and many branches: the time is proportional to their
# number, and no call has as many arguments. Work that is proportional to the
# square of their number needs half a minute of processor time for these local
# variables.
page_says page '((n, begun) => (DATA.texts = ["1 object"],
    DATA.thread_texts = [Array(2 + 3 * n).fill(0)], drawThread({key: "main", frames:
    [{frame: "f", locals: Array(n).fill({class: "A"})}]}, 0),
    processorMs() - begun < 9000 ? "fast" : "slow"))(160000, processorMs())' \
    '(n => (DATA.texts = ["1 object"], DATA.why = {tree: [{step: "A", children:
    Array.from(Array(n), () => ({step: "B"}))}]}, DATA.why_texts =
    Array((1 + n) * (1 + PAIR)).fill(0), drawSteps(whySteps()).kids[n].kids))(150000)'
# a stack also refers to the object of the static field
hprof-diff registry-grown | grep -o "other roots keep it alive also"
said_by_pages
