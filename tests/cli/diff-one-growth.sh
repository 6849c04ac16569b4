# Shares of suspects name the growth that is 100 %: that of what is kept alive,
# and of the finalizer queue and of memory outside the heap if these changed. The
# name is the same in text, JSON, Markdown and on the page.
need node
for name in finding-none finding-direct-memory finding-finalizer-backlog \
    finding-unbounded-collection; do
    fixture $name >${name#finding-}
done
# explained FILE...: the bytes that the suspects can explain, from the dumps
explained() {
    jq '[.dumps[] | .reachable.bytes + (.finalizer_queue.bytes // 0)] |
        .[-1] - .[0]' "$1"
}
while read -r first last name; do
    rm -f json text md
    hprof-diff --retained --format=json $first $last >json
    hprof-diff --retained $first $last | answer >text
    hprof-diff --retained --format=markdown $first $last >md
    echo "$first $last: $(sed -n 's/.*, of which //p' text)"
    # each suspect and the finding have the same name for it
    jq -r '([.suspects[].percent_of, (.findings[] |
        select(.id == "unbounded-collection") | .of)] | unique)[]' json >said
    echo "the growth of what is kept alive$name" >want
    same want said
    grep -o 'suspects* explains* .*' text | sed 's/.* % of //' >said
    same want said
    # the growth is that of the named parts
    if [ "${name/outside/}" = "$name" ]; then
        [ "$(jq .suspects_explain.growth json)" = "$(explained json)" ] ||
            problem "$first $last: not the growth of the parts"
    else
        [ "$(jq .suspects_explain.growth json)" -gt "$(explained json)" ] ||
            problem "$first $last: nothing outside the heap"
    fi
    # Markdown has the sentence of the finding
    if jq -e 'any(.findings[]; .id == "unbounded-collection")' json >.found; then
        grep -q "of the growth of what is kept alive$name" md ||
            problem "$first $last: Markdown does not name the growth"
    fi
    # on the page, and with one dump
    hprof-diff --format=html $first $last >page
    page_says page 'partsSentence()' 'suspectsSentence()'
    hprof-diff --format=html $last >page
    page_says page 'suspectsSentence()'
    hprof-diff $last | sed -n '/^the largest owners/,/:$/p; /:$/q'
    looked
done <<'END'
none unbounded-collection
none finalizer-backlog , with the finalizer queue
none direct-memory , with memory outside the heap
finalizer-backlog direct-memory , with the finalizer queue and memory outside the heap
END
looked_at 4
said_by_pages
# a saved result keeps the name
hprof-diff --retained --format=json unbounded-collection >saved
hprof-diff --retained --format=json saved | jq -r '.findings[] |
    select(.id == "unbounded-collection") | .of, .text'

# A finding names the whole of its share: one-owner and finalizer-backlog count the
# finalizer queue, one-thread does not, and none of them memory outside the heap.
for dump in unbounded-collection finalizer-backlog direct-memory thread-buffers; do
    [ -e $dump ] || fixture $dump >$dump
    hprof-diff --retained --format=json --threshold=one-owner=1% \
        --threshold=one-thread=0.1% --threshold=finalizer-backlog=1% $dump >json
    jq -r '.dumps[0] as $d | ($d.finalizer_queue.bytes // 0) as $queue |
        .findings[] |
        select(.id == ("one-owner", "one-thread", "finalizer-backlog")) |
        (.of | endswith("with the finalizer queue")) as $with |
        ($d.reachable.bytes + (if $with then $queue else 0 end)) as $whole |
        (.bytes * 100 / $whole) as $percent |
        if .of != "what is kept alive" and $queue == 0 then
            "the dump has no finalizer queue: \(.of)"
        elif .percent - $percent | fabs > 0.01 then "\(.percent), but \($percent)"
        else .text end' json
    looked
done
looked_at 4

# The first screen shows a suspect once: the finding about the suspect refers to
# it. Where no suspect is shown, the finding describes it.
hprof-diff unbounded-collection | sed -n '/^!/,/^$/p'
hprof-diff none unbounded-collection | sed -n '/^!/,/^$/p'
fixture finding-one-owner >one-owner
hprof-diff one-owner | sed -n '/^!/,/^$/p'
hprof-diff --retained saved | sed -n '/^!/,/^$/p'

# The headline of a page and its chart begin and end with the same sizes, for all
# rows: those of the heap, which are also in the text, or those of the part of the
# heap that the report is about.
data() { sed -n 's/^<script id="data"[^>]*>//;T;s/<\/script>$//;p'; }
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-before.hprof.zst" >a
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >b
for options in --by=class --by=package --by=loader --by=dominator --by=thread \
    --by=path --by=waste --quick '--by=path --filter=Shop*' \
    '--why=Shop$CartListener'; do
    # shellcheck disable=SC2086
    hprof-diff $options --format=html a b | data >page
    headline=$(jq -r '[.lead.headline[] | select(type == "array") |
        .[0]] | "\(.[1]) \(.[2])"' page)
    chart=$(jq -r '.growth | "\(.before.text) \(.after.text)"' page)
    card=$(jq -r '.lead.cards[0].texts | join(" ")' page)
    [ "$headline" = "$chart" ] || problem "$options: $headline, but $chart"
    [ "$headline" = "$card" ] || problem "$options: $headline, but $card"
    case $options in
    *waste* | *why*) ;;
    *)
        # shellcheck disable=SC2086
        text=$(hprof-diff $options a b | sed -n 's/^heap \(.*\) → \(.*\): .*/\1 \2/p')
        [ "$headline" = "$text" ] || problem "$options: $headline, but $text"
        ;;
    esac
    jq -r '[.lead.headline[] | if type == "array" then .[0] else . end] |
        add' page
    looked
done
looked_at 10

# Rows of --by=holder and --by=root overlap, so they have no sum: each bar of the
# chart is from the old size of its row to the new one.
for options in '--by=holder a b' '--by=root b' '--by=root rootless b'; do
    [ -e rootless ] || fixture roots-none >rootless
    # shellcheck disable=SC2086
    hprof-diff $options --format=html | data >page
    # shellcheck disable=SC2086
    hprof-diff $options --all --format=json >json
    echo "$options: $(jq -c '.growth | [.note, .before, .after]' page)"
    jq -r '.growth.bars[] | "\(.name) \(.from) \(.to)"' page | sort >got
    jq -r '.rows[] | "\(.key) \(if (.bytes | length) > 1 then .bytes[0] else 0 end) \(.bytes[-1])"' \
        json | sort >rows
    comm -23 got rows
    wc -l <got
    looked
done
looked_at 3

# If another field refers to an object than before, or if nodes of a list had
# another owner, this is no growth: the suspects, the boxes of the page and its
# chart have the same growth. Each box, except that of the heap without its finalizer
# queue, retains at least what the boxes inside it retain.
while read -r first last; do
    [ -e $first ] || fixture $first >$first
    [ -e $last ] || fixture $last >$last
    hprof-diff --format=html $first $last | data >page
    echo "$first $last:"
    jq -c '.dominators as $boxes | .suspects as $list |
        (.answer.suspects | keys[] as $i | $list[$i] as $s |
            $boxes[.[$i].box] as $box |
            [$s.label, $s.delta_retained_bytes, $box[1], $box[3] - $box[2]]),
        (.growth | select(.) | .bars[] | [.name // .word, .growth])' page
    jq -c '.dominators as $boxes | (reduce ($boxes[1:][] | [.[0], .[2], .[3]])
        as [$up, $was, $is] ({}; .["\($up)"] |= [.[0] + $was, .[1] + $is])) |
        del(."0") | to_entries[] | [$boxes[.key | tonumber], .value] |
        select(.[0][2] < .[1][0] or .[0][3] < .[1][1])' page >wrong
    [ -s wrong ] && problem "$first $last: $(cat wrong)"
    looked
done <<'END'
finalizer-queued finalizer-stuck
finalizer-stuck finalizer-queued
ballast-shared ballast-moved
ballast-moved ballast-shared
moved-before moved-after
registry registry-held
registry-inner registry-inner-grown
END
looked_at 7
