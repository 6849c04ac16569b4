# pages.sh - write the pages that the html-* cases open in browsers; bash
#
# Prints nothing. The array pages has the arguments for run.js.
fixture leak-before >a
fixture leak-after >b
fixture agent >g
fixture registry >registry
fixture nested-loaders-after >nested
fixture hostile-names >hostile
fixture subtag-unknown >broken
fixture cut-array >cut
fixture two-dumps >two
fixture text >text
hprof-convert --to=text g g.txt 2>.err
sed 's/^Identifiers have.*/&\nhprof-agent: sample=64 lost=0 depth=4/' \
    g.txt >sampled.txt
hprof-diff --all --retained --label=service=cart --label=build=7 \
    --fail-if='com.acme.* growth-count>10' --fail-if='total bytes>1GB' \
    --fail-if='*Order growth-retained>1KB' --fail-if='*Order[] count>1' \
    --format=html a b >growth.html
hprof-diff --retained --fail-if='com.acme.Gone count>0' \
    --fail-if='com.acme.Order count>9' --sort=name --format=html g \
    >traces.html 2>.err
hprof-diff --retained --format=html a b hostile >trend.html
hprof-diff --by=site --fail-if='*.Class count>1' --format=html g >sites.html
hprof-diff --by=dominator --format=html registry >owners.html
hprof-diff --by=cpu --format=html g >samples.html
fixture art >art
zstd -q -dc "$(dirname "$2")/../../corpus/oom.hprof.zst" >oom
mkdir shop
for name in before after; do
    zstd -q -dc "$(dirname "$2")/../../corpus/shop-$name.hprof.zst" >shop/$name
done
hprof-diff --why='Shop$CartListener' --format=html shop/before shop/after \
    >why.html
hprof-diff --why=app.Loader --format=html nested >folded.html
hprof-diff --format=html art >android.html
hprof-diff --format=html oom >oom.html
hprof-diff --by=path --format=html a b >paths.html
hprof-diff --by=loader --retained --format=html a b >loaders.html
hprof-diff --by=site --sites=records --format=html sampled.txt >sampled.html
hprof-validate --format=html --level=graph hostile >valid.html
hprof-validate --format=html cut >cut.html
hprof-validate --format=html broken a two text nosuch >several.html 2>.err
pages=(diff:growth.html diff:traces.html:brief diff:trend.html diff:sites.html
    diff:owners.html:brief
    diff:samples.html:brief diff:sampled.html:brief
    diff:android.html:brief diff:oom.html:brief diff:paths.html:brief
    diff:loaders.html:brief diff:why.html diff:folded.html:brief
    validate:valid.html validate:several.html validate:cut.html:brief)

# in_browser NAME CASE: check all pages in this browser and print the results;
# skip the case if the browser is not installed
in_browser() {
    local browser=$1 here npm
    here=$(cd "$(dirname "$2")/../browser" && pwd)
    case $BUILD in
    *release) ;;
    *) skip "a release build writes the same pages" ;;
    esac
    need node npm
    node "$here/run.js" --have "$browser" || skip "no $browser"
    npm=$("$here/../npm/install" 2>.err) || skip "npm cannot install the driver"
    node "$here/run.js" "$browser" "$npm" "${pages[@]}"
}
