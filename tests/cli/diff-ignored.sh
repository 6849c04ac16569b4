# --by=path: the built-in ignore list hides no leak, and the report says what is
# hidden
# needs: text
for name in cache-before cache-few cache-many cache-platform \
    cache-application; do
    fixture $name >$name
done
hprof-diff --ignore-path=list | grep -c .
hprof-diff --ignore-path=list | grep -x 'java.lang.reflect.*(static) \*'
# 20 additional Strings among 6,000 objects are hidden and counted. 100 Strings,
# or one object of the application, are shown. The platform loader belongs to
# the JDK.
for name in cache-few cache-many cache-platform cache-application; do
    echo "== $name"
    hprof-diff --by=path --exit-code cache-before $name >table
    echo "exit status $?"
    sed '1,/^count/d' table
    hprof-diff --by=path --format=json cache-before $name |
        jq -c '[.changed, .ignored, [.rows[].key]]'
    code hprof-diff --by=path --fail-if='*proxyClassCache* growth-count>0' \
        cache-before $name
done
# formats with rows only: the line goes to standard error
for format in csv folded; do
    hprof-diff --by=path --format=$format cache-before cache-few 2>&1 >/dev/null
    hprof-diff -q --by=path --format=$format cache-before cache-few 2>&1 \
        >/dev/null
done
hprof-diff --by=path --format=ndjson cache-before cache-few | head -n 1 |
    jq -c .ignored
for format in markdown sarif junit github; do
    hprof-diff --by=path --format=$format cache-before cache-few 2>&1 |
        grep -oE '<system-out>.*|[^"]*2 paths on the ignore list.*' | cut -c -90
done
hprof-diff --by=path --format=html cache-before cache-few >page.html
grep -o '<p>[^<]*ignore list[^<]*' page.html
grep -o '"ignored":{"paths":[0-9]*' page.html
# the dumps in the other order, and there and back
hprof-diff --by=path cache-few cache-before | tail -n 1
hprof-diff --by=path cache-before cache-few cache-before | tail -n 1
hprof-diff --by=path --exit-code cache-before cache-few cache-before >table
echo "$?"
# without the list, and with patterns of the user
hprof-diff --by=path --ignore-path=none --format=json cache-before cache-few |
    jq -c '[.changed, .ignored, [.rows[].key]]'
hprof-diff --by=path --ignore-path='*proxyClassCache*' cache-before cache-many |
    tail -n 1
hprof-diff --by=path --ignore-path='*proxyClassCache*' --format=json \
    cache-before cache-many | jq -c '[.changed, .ignored.paths]'
hprof-diff --by=path --ignore-path='*proxyClassCache*' cache-many |
    grep 'ignore list'
hprof-diff --by=path --ignore-path='*proxyClassCache*' --format=rows \
    cache-many 2>&1 >/dev/null
# A saved result gives the same as its dump. It lists the classes whose loader
# contradicts their package. Without this list the package decides.
for name in cache-before cache-few cache-platform cache-application; do
    hprof-diff --by=path --format=json $name >$name.json
done
jq -c '.rows[] | select(has("application")) | [.key, .application]' \
    cache-platform.json
for name in cache-few cache-platform cache-application; do
    hprof-diff --by=path --format=json cache-before $name |
        jq '[.changed, .ignored, .rows]' >want
    for saved in "cache-before.json $name.json" "cache-before $name.json" \
        "cache-before.json $name"; do
        # shellcheck disable=SC2086
        hprof-diff --by=path --format=json $saved |
            jq '[.changed, .ignored, .rows]' >got
        same want got
    done
done
jq 'del(.rows[].application)' cache-platform.json >names.json
hprof-diff --by=path --format=json cache-before.json names.json |
    jq -c '[.rows[].key]'
jq '.rows[0].application = 7' cache-platform.json >odd.json
code hprof-diff --by=path odd.json cache-before
# a class is the application's if its loader is not in the dump, or if the
# loader only has the name of the platform loader
for name in cache-before cache-platform cache-application; do
    quiet hprof-convert --to=text $name $name.txt
done
sed '/^OBJ 18000 /d' cache-application.txt >loader-lost.txt
sed '/^CLS 10600 /{n;s/$/\n\tloader\t\t18000/}' cache-platform.txt \
    >loader-named-alike.txt
for name in cache-platform cache-application loader-lost loader-named-alike; do
    hprof-diff --by=path --format=json cache-before.txt $name.txt |
        jq -c --arg name $name '[$name, .rows[].key |
            select(test("proxyClassCache|^cache|^loader"))]'
done
refused hprof-diff --ignore-path=none cache-before
refused hprof-diff --ignore-path=none --why='*' cache-before
