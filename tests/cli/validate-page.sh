# What hprof-validate's HTML report finds, by its script alone, as diff-page.
need node
top=$(dirname "$2")/../..
fixture dangling-array >a
hprof-validate --format=html a >page
say() { # PAGE EXPRESSION...
    node "$top/tests/browser/say.js" "$@"
}
# words in a row are looked for as they stand, in texts that have more
texts='["elements[3]: names 0x50, Which is not in the dump", "com.acme.Order"]'
for query in '"which is not"' '"not which"' 'not which' '"is not" order' \
    '-"is not"' '-"not is" "in the dump' '*.Order -dump' '*.Order' '-' '""' \
    '"com.acme.Order"'; do
    json=$(jq -n --arg query "$query" '$query')
    echo "$query: $(say page "(searchFor($json) || (() => 'all'))($texts)")"
done
# what dangles is red where it is more than a note
for severity in error warning info; do
    hprof-validate --severity=ref-dangling-array=$severity --format=html a >page
    echo "$severity: $(say page 'danglingClass()')"
done
# where not all was looked up, nobody says that all name something
fixture many-objects --id-size=8 >m
for memory in 1MB 64MB; do
    cat m | hprof-validate --memory=$memory --threads=1 --format=html - \
        >page 2>.err
    say page 'referencesCard()'
    cat m | hprof-validate --memory=$memory --threads=1 - 2>.err | sed -n 3p
done
# of the other report all of a name, as the button of a row makes it
hprof-diff --format=html a >page
for query in '"com.acme.Order"' '"acme.Order"' '"which is" -x' \
    '"which is" "acme.Order"'; do
    json=$(jq -n --arg query "$query" '$query')
    echo "$query: $(say page "searchFor($json, true)($texts)")"
done
