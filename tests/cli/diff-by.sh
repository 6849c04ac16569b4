# --by=package, loader and heap; allocation sites and CPU samples of an agent's
# dump.
# needs: text
fixture hotspot >a
for by in package loader heap; do
    echo "$by"
    hprof-diff --by=$by --format=json a | jq -c '.rows[] |
        [.key, .count[0], .loaders // empty, .rollup // empty]'
done
# a package named "*" is not the sum of the packages below its parent
fixture agent | hprof-convert -q --to=text - |
    sed 's/com\.acme\.RushOrder/com.*.RushOrder/' >star
hprof-diff --by=package --retained --format=json star >star.json
jq -c '(.rows[] | [.key, .count[0], .retained_count[0], .rollup // empty]),
    .total.count' star.json
hprof-diff star | tail -n 1 | sed 's/  */ /g'
code hprof-diff --by=package --retained --exit-code star.json star
# a saved result has no sum if a package has only one entry
fixture agent | hprof-convert -q --to=text - |
    sed 's/com\.acme\.RushOrder/com.rush.RushOrder/' >two
fixture agent >one
hprof-diff --by=package --retained --layout=mat --format=json \
    one >one.json
for pair in 'one two' 'one.json two' 'two one' 'two one.json'; do
    # shellcheck disable=SC2086 # two files
    hprof-diff --by=package --retained --layout=mat --format=json --all $pair |
        jq -c '.rows[] | select(.rollup) |
            [.key, .count, .retained_count, .retained_bytes]'
done
hprof-diff --by=loader --format=json a | plain_json - >want
cat <a | hprof-diff --by=loader --format=json - | plain_json - >got
same want got
# a stripped name is not shown
fixture named-loaders >n
quiet hprof-convert --shape-only n stripped
hprof-diff --by=loader --format=json stripped | jq -c '.rows[].key'
# names of loaders, from files and pipes, in any order of the records
fixture named-loaders >n
hprof-diff --by=loader --format=json n | jq -c '.rows[] |
    [.key, .loaders[0], .count[0]]'
hprof-diff --by=loader --format=json n | plain_json - >want
# the object graph leads to the same names
for more in --quick --retained; do
    hprof-diff --by=loader $more --format=json n | jq -c '.rows[] |
        [.key, .loaders[0], .count[0]]' | sort >"names$more"
done
same names--quick names--retained
fixture named-loaders-first | gzip >n.gz
cat n.gz | hprof-diff --by=loader --format=json - | plain_json - >got
same want got
fixture named-loaders --id-size=4 |
    hprof-diff --by=loader --format=json - | jq -c '.rows[] | .key' |
    sort >got
jq -c '.rows[] | .key' want | sort >keys
same keys got
fixture art >r
hprof-diff --by=heap --format=json r | jq -c '.rows[] | [.key, .count[0]]'
hprof-diff --heap=app --format=json r | jq -c '.dumps[0].objects'
fixture agent >g
for mode in objects records; do
    echo "$mode"
    hprof-diff --by=site --sites=$mode --format=json g | jq -c '.sites,
        (.rows[] | select(.frames != []) | [.key, .count[0], .frames])'
    hprof-diff --by=site --sites=$mode --format=folded g | grep ';'
done
# three inputs, so one is between the first and the last
for by in class package loader heap site cpu dominator holder path; do
    code hprof-diff --by=$by --all --wide g g g
done
# at most the requested number of frames
for depth in 1 2; do
    hprof-diff --by=site --sites=objects --site-depth=$depth --format=json g |
        jq "[.rows[].frames | length] | max == $depth"
done
fixture all-tags >t
hprof-diff --by=site --sites=objects t 2>&1 >.out
# a saved result can be compared only with results of the same options
hprof-diff --by=site --sites=objects --format=json g >saved
hprof-diff --by=site --exit-code saved g >.out 2>.err || echo "differs: $?"
code hprof-diff --by=site --sites=records saved g
cat .err
hprof-diff --by=cpu --format=json g | jq -c '.rows[] |
    [.key, .samples[0], .inclusive[0], .percent[0], .frames]'
code hprof-diff --by=site a
cat .err
code hprof-diff --by=cpu a
cat .err
# without a source file the line number still separates two sites
fixture agent --id-size=4 >a
hprof-convert --force --to=text a t
sed -E 's/\(Order\.java:([0-9]+)\)/(Unknown Source:\1)/' t >u
hprof-diff --by=site --sites=objects --format=json u |
    jq -c '[.rows[].frames[0] // empty | select(contains("Unknown"))] | unique'
# the agent writes a dot instead of the slash before a lambda's number
sed 's/com\.acme\.Loader\b/com.acme.Plugin$$Lambda$1.295530567/g' t >lambda
hprof-diff --normalize=off --by=package --format=csv lambda
# Names of proxies contain numbers that change from run to run: in the class
# name and in the package of its loader. Tested in rows, packages and frames.
for n in 1 2; do
    sed "s/com\.acme\.Order\b/jdk.proxy$n.\$Proxy3$n/g" t >proxy$n
done
for by in class package site; do
    hprof-diff --by=$by --exit-code proxy1 proxy2 >.out
    echo "$by: $?"
    hprof-diff --by=$by --format=json proxy1 | grep -o 'jdk\.proxy[^"(]*' |
        sort | uniq -c
done
hprof-diff --normalize=off --by=package --format=csv proxy1 proxy2
# every parent of a package has a row, of three and more names, too
fixture agent | hprof-convert -q --to=text - |
    sed 's/com\.acme\.RushOrder/com.acme.deep.er.RushOrder/
        s/com\.acme\.Order\>/com.acme.deep.Order/' >deep
hprof-diff --by=package --retained --all --format=json deep |
    jq -c '.rows[] | select(.key | startswith("com")) |
        [.key, .rollup // false, .count[0], .retained_count[0],
        .retained_bytes[0]]'
