# What the HTML report says, by its script alone: node runs it without a browser.
need node
say() { # PAGE EXPRESSION...
    node "$top/tests/browser/say.js" "$@"
}
top=$(dirname "$2")/../..
for name in registry registry-grown registry-inner registry-inner-grown; do
    fixture $name >$name
done
# the object of a static field that a stack comes to hold, too, is one owner
hprof-diff --retained --format=html registry registry-grown >page
say page 'listOwners().map(o => [o.name, " ", o.from, " ", o.to, "\n"])' \
    'suspectsSentence()'
# growth that is not known is no share of the growth
hprof-diff --retained --format=html registry-inner registry-inner-grown >page
say page 'suspectsSentence()' 'drawSuspect(DATA.suspects[0], 0).kids[0]' |
    tee said
grep -q 'not known' said || problem "growth is told"
# what moved, by path
fixture moved-before >a
fixture moved-after >b
hprof-diff --by=path --format=json a >saved
for first in a saved; do
    hprof-diff --by=path --format=html $first b >page
    say page 'DATA.rows.filter(r => r.moved).map(movedText)' \
        'nameCell(DATA.rows.find(r => r.moved))'
done
# packages are those of --by=package, of names that were cut and of the agent's
say page 'packageOf("Order...#0123456789abcdef")' \
    'packageOf("com.acme.Order...#0123456789abcdef[]")' \
    'packageOf("com.acme.T$$Lambda$1.295530567")' 'packageOf("com.acme.Order[]")'
