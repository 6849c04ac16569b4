# A page without its data and its plain tables has at most 110 KB of markup,
# style and script. This is so for both programs.
# harness: statuses
fixture leak-before >a
bare() {
    sed -e '/^<div id="fallback"/,/^<\/div>/d' \
        -e 's/^\(<script id="data"[^>]*>\).*/\1/'
}
for program in diff validate; do
    hprof-$program --format=html a >page
    bare <page >empty
    n=$(wc -c <empty)
    [ "$n" -lt "$(wc -c <page)" ] || echo "$program: nothing was left out"
    [ "$n" -gt 20000 ] || echo "$program: $n bytes are no page"
    if [ "$n" -le 112640 ]; then
        echo "hprof-$program: at most 110 KB"
    else
        echo "hprof-$program: $n bytes"
    fi
    looked
done
looked_at 2
