# Every format has the same figures.
# needs: text
fixture leak-before >a
fixture leak-after >b
hprof-diff --format=json a b >json
jq -c '.rows[]' json >want
hprof-diff --format=ndjson a b >lines
tail -n +2 lines >got
same want got
head -n 1 lines | jq -c '[.tool, .total.count]'
hprof-diff --format=folded a b | sort >got
hprof-diff --all --format=json a b |
    jq -r '.rows[] | "bytes by class;\(.key) \(.bytes[0]) \(.bytes[1])"' |
    sort >want
same want got
# sums of rows are not stacks, and are not in the place of another row
fixture agent | hprof-convert -q --to=text - |
    sed 's/com\.acme\.RushOrder/com.rush.RushOrder/' >s
for by in cpu package; do
    hprof-diff --by=$by --format=folded s >all
    grep -c '\*' all
    for top in 1 2; do
        hprof-diff --by=$by --format=folded --top=$top s >got
        head -n $top all >want
        same want got
    done
done
# the page has the values of all dumps, so its rows have no differences
no_growth='del(.[keys_unsorted[] | select(startswith("delta_"))])'
hprof-diff --quick --format=html a b >html
page_data <html >page-data
jq -c '.rows[]' page-data >got
hprof-diff --all --format=json a b | jq -c ".rows[] | $no_growth" >want
same want got
# --top shows the rows of the other formats that changed; the rest is counted
hprof-diff --sort=name --top=1 --format=html a b >html
page_data <html >page-data
jq -c '.rows[], .cut' page-data >got
hprof-diff --sort=name --top=1 --format=json a b |
    jq -c "(.rows[] | $no_growth), 1" >want
same want got
grep -o '[0-9][0-9]* left out by --top' html
grep -Ec 'https?:|src=|@import|url\(' html
# the headline of the page: about the heap with --by=holder, and about the
# matching objects with --why
for option in --by=class --by=holder --why=com.acme.Order '--why=<b>'; do
    hprof-diff "$option" --format=html a b 2>.err | grep -o '<h1>.*'
done
fixture hostile-names >h
hprof-diff --format=html h >html
grep -c '<script>' html # the page's own two
grep -o "Policy.*'none'\"" html | sed "s/sha256-[^']*/HASH/g"
code hprof-diff --format=html -o out.html a b
code hprof-diff --format=html -o out.html a b
