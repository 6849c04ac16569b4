# The same figures in every format.
fixture leak-before >a
fixture leak-after >b
hprof-diff --format=json a b >json
jq -c '.rows[]' json >want
hprof-diff --format=ndjson a b >lines
tail -n +2 lines >got
same want got
head -n 1 lines | jq -c '[.tool, .total.count]'
hprof-diff --format=folded a b | sort >got
jq -r '.rows[] | "\(.key) \(.bytes[0]) \(.bytes[1])"' json | sort >want
same want got
hprof-diff --format=html a b >html
sed -n 's/^<script id="data"[^>]*>//;T;s/<\/script>$//;p' html >page-data
jq -c '.rows[]' page-data >got
jq -c '.rows[]' json >want
same want got
grep -Ec 'https?:|src=|@import|url\(' html
fixture hostile-names >h
hprof-diff --format=html h >html
grep -c '<script>' html # the page's own two
grep -o "Policy.*'none'\"" html | sed "s/sha256-[^']*/HASH/g"
code hprof-diff --format=html -o out.html a b
code hprof-diff --format=html -o out.html a b
