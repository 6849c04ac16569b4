# What the search and the texts of hprof-validate's HTML report give. node runs
# its script, as in diff-page.
need node
fixture dangling-array >a
hprof-validate --format=html a >page
# Write a text as a JSON string.
quoted() {
    printf '"%s"' "${1//\"/\\\"}"
}
# several words are searched in this order, in texts with more words
texts='["elements[3]: names 0x50, Which is not in the dump", "com.acme.Order"]'
for query in '"which is not"' '"not which"' 'not which' '"is not" order' \
    '-"is not"' '-"not is" "in the dump' '*.Order -dump' '*.Order' '-' '""' \
    '"com.acme.Order"'; do
    page_says page "'$query: ' + (searchFor($(quoted "$query")) || (() => 'all'))($texts)"
done
# dangling references are red if they are more than a note
for severity in error warning info; do
    hprof-validate --severity=ref-dangling-array=$severity --format=html a >page
    page_says page "'$severity: ' + danglingClass()"
done
# if not everything was checked, the page does not say that all references are
# valid
fixture many-objects --id-size=8 >m
for memory in 1MB 64MB; do
    cat m | hprof-validate --memory=$memory --threads=1 --format=html - \
        >page 2>.err
    page_says page 'referencesCard()'
    cat m | hprof-validate --memory=$memory --threads=1 - 2>.err | sed -n 3p
done
# a row's button in the other report searches for the whole name
hprof-diff --format=html a >page
for query in '"com.acme.Order"' '"acme.Order"' '"which is" -x' \
    '"which is" "acme.Order"'; do
    page_says page "'$query: ' + searchFor($(quoted "$query"), true)($texts)"
done
# a file that ends too early has no share of decoded bytes
fixture cut-array >cut
hprof-validate --format=html cut >page
page_says page 'decodedCard().kids[1]'
page_says page 'decodedCard().kids[2]'
said_by_pages | sed '$s/[0-9.]* [KM]*B/N/g'
