# The cards of a page of one dump show the parts of the heap and of its objects,
# the largest row, and the largest owners. Their numbers are those of the JSON
# result.
need node
top=$(dirname "$2")/../..
data() { sed -n 's/^<script id="data"[^>]*>//;T;s/<\/script>$//;p'; }
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >shop
for name in finding-finalizer-backlog finding-weakly-reachable \
    finding-direct-memory finding-none rooted registry-inner; do
    fixture $name >$name
done
for dump in shop finding-finalizer-backlog finding-weakly-reachable \
    finding-direct-memory finding-none rooted registry-inner; do
    hprof-diff --format=html $dump | data >page
    hprof-diff --retained --all --format=json $dump >json
    jq -c --slurpfile j json --arg dump $dump '
        def none: {objects: 0, bytes: 0};
        $j[0] as $j | $j.dumps[0] as $d | ($d.finalizer_queue // none) as $queue |
        [$d.reachable, $queue, ($d.weak | .objects -= $queue.objects |
            .bytes -= $queue.bytes), ($d.hidden_fields // none),
            $d.unreachable] as $parts |
        # the parts without those in the middle that are empty
        ([$parts[0]] + [$parts[1:4][] | select(.objects > 0)] + [$parts[4]])
            as $want |
        [.lead.cards[] | .parts // []] as $got |
        def check($what; $a; $b): if $a == $b then empty else
            "\($dump): \($what): \($a), not \($b)" end;
        check("titles"; [.lead.cards[].title]; ["Heap, shallow bytes", "Objects",
            "Classes"] + if $j.largest_owners == [] then [] else
            ["Largest owner" + if ($j.largest_owners | length) > 1 then "s"
            else "" end] end),
        check("heap"; [$got[0][].value]; [$want[].bytes]),
        check("all of the heap"; [$got[0][].value] | add; $d.bytes),
        check("objects"; [$got[1][].value]; [$want[].objects]),
        check("all objects"; [$got[1][].value] | add; $d.objects),
        ([$j.rows[].bytes[0]] | max) as $most |
        check("largest class"; [$got[2][].value]; [$most, $d.bytes - $most]),
        check("name of the largest class"; .lead.cards[2].line[1][0] as $key |
            $j.rows[] | select(.key == $key) | .bytes[0]; $most),
        ([$d.reachable.bytes, $queue.bytes, ($d.native.bytes // 0)] | add)
            as $kept |
        ($j.largest_owners | map(.retained_bytes[0] + (.native_bytes[0] // 0)))
            as $owners |
        if $owners == [] then empty else
            check("largest owner"; $got[3][0].value; $owners[0]) end
    ' page >said || problem "$dump: jq"
    [ ! -s said ] || problem "$(cat said)"
    jq -c '[.lead.cards[] | [.title, .value, .line, [.parts[] | .text]]]' page
    looked
done
# A report about a part of the heap says so in its headline. It says each
# sentence once, and has no finding that says the same.
for options in --by=waste --by=reference '--why=Shop$CartListener'; do
    hprof-diff $options --format=html shop >page
    page_says page 'headline()' 'ANSWER.sentence.length' \
        'DATA.lead.cards[0].parts.map(p => p.text)' 'wasteSentence()' \
        'findingsNow().map(f => f.id)'
done
said_by_pages
while read -r by want; do
    hprof-diff --by=$by --format=html shop >page
    page_says page '[leadParts(), findingsList() || "", wasteParts()].map(x =>
        [x, "\n"])'
    said_by_pages >said
    [ "$(grep -o '69 % of the heap' said | wc -l)" = $want ] ||
        problem "$by: a sentence is there twice"
    looked
done <<'END'
waste 1
class 2
END
looked_at 9
# a report with several dumps, and one without an object graph, has no owners
hprof-diff --format=html shop shop | data | jq -c '[.lead.cards[].title]'
hprof-diff --quick --format=html shop | data |
    jq -c '[.lead.cards[] | [.title, .value, .line]]'
# a profile has no objects
fixture agent >agent
hprof-diff --by=cpu --format=html agent | data |
    jq -c '[.lead.cards[] | [.title, .value, .line]]'
