# The HTML report in a headless Chromium: mouse, keyboard, search, pictures,
# light and dark, and nothing fetched. html-report.js does the driving.
CHROMIUM=
for name in chromium chromium-browser google-chrome; do
    [ -n "$CHROMIUM" ] || CHROMIUM=$(command -v $name)
done
[ -n "$CHROMIUM" ] || skip "no Chromium"
need node
export CHROMIUM
fixture leak-before >a
fixture leak-after >b
fixture agent >g
hprof-diff --all --retained --format=html a b >growth.html
hprof-diff --by=site --format=html g >sites.html
hprof-diff --by=cpu --format=html g >samples.html
hprof-convert --to=text g g.txt 2>.err
sed 's/^Identifiers have.*/&\nhprof-agent: sample=64 lost=0 depth=4/' g.txt >s.txt
hprof-diff --by=site --sites=records --format=html s.txt >sampled.html
for page in growth sites samples sampled; do
    echo "$page"
    node "$(dirname "$2")/html-report.js" $page.html
done
