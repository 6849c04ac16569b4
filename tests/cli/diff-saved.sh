# A saved result instead of a dump gives the same difference, or is refused.
fixture leak-before >a
fixture leak-after >b
hprof-diff --format=json a >a.json
hprof-diff --format=json a b | plain_json - | jq -c '.rows, .total' >want
hprof-diff --format=json a.json b | plain_json - | jq -c '.rows, .total' >got
same want got
cat a.json | hprof-diff --format=json - b | plain_json - |
    jq -c '.rows, .total' >got
same want got
gzip -c a.json | hprof-diff --format=json - b | plain_json - |
    jq -c '.rows, .total' >got
same want got
hprof-diff --format=json b a.json | jq -c '.rows[0].delta_count'
zstd -q a.json
code hprof-diff --exit-code a.json.zst a
code hprof-diff --by=package a.json b
code hprof-diff --normalize=off a.json b
code hprof-diff --layout=mat,alignment=256 a.json b
hprof-diff --format=json --filter='com.*' a >part.json
code hprof-diff part.json b
cat .err
hprof-diff --format=json a b >two.json
code hprof-diff two.json b
echo '{"tool":"hprof-diff","schema":2}' >other.json
code hprof-diff other.json b
echo '{"tool":' >broken.json
code hprof-diff broken.json b
for format in ndjson rows; do
    hprof-diff --format=$format b >lines
    code hprof-diff lines b
    cat .err
done
echo '{}' >empty.json
code hprof-diff empty.json b
sed 's/com.acme.Order"/\\u001b[31m"/' a.json >evil.json
code hprof-diff evil.json b
for by in package loader heap; do
    hprof-diff --by=$by --format=json a >$by.json
    code hprof-diff --exit-code --by=$by $by.json a
done
# a saved result that is saved again stays the same, whatever the layout's name
fixture art >art
for layout in auto auto,reference=8 art hotspot,alignment=16; do
    for f in a art; do
        hprof-diff --layout=$layout --format=json $f >once
        hprof-diff --format=json once >again
        jq 'del(.dumps[].path)' once >want
        jq 'del(.dumps[].path)' again >got
        same want got
        code hprof-diff --exit-code --layout=$layout again $f
    done
done
# one more loader with an existing name, without any object
hprof-diff --by=loader --format=json a | jq -c '.rows |= map(
    if .key == "com.acme.Loader" then .loaders = [2] else . end)' >more.json
code hprof-diff --exit-code --by=loader --format=json more.json a
jq -c '.rows[] | [.key, .loaders]' .out
# A changed result is refused if gates could miss growth because of the change.
altered() {
    jq -c "$1" "${2:-a.json}" >altered.json
    code hprof-diff ${2:+--by=site} altered.json a
    cat .err
}
altered '.dumps[0].sample = -1'
altered '.dumps[0].sample = 64'
altered '.dumps[0].partial = "no"'
altered '.dumps[0].bytes += 1'
altered '.rows[0].bytes[0] += 1'
altered '.rows[0].count += [5]'
altered '.rows += [.rows[0] | .count = [0] | .bytes = [0]]'
fixture agent >a
hprof-diff --by=site --sites=objects --format=json a >site.json
for sample in 0 -1 2147483648 1.5 '"64"'; do
    altered ".dumps[0].sample = $sample" site.json
done
altered '.dumps[0].sample = 2147483647' site.json
altered '.rows += [.rows[0] | .count = [0] | .bytes = [0]]' site.json
# The layout model leaves open what follows from the id size. The message gives
# the complete layout, and following its advice works.
fixture leak-before --id-size=4 >small
fixture leak-after --id-size=8 >large
for layout in hotspot auto hotspot-coh,alignment=16; do
    hprof-diff --layout=$layout --format=json small >small.json
    code hprof-diff --layout=$layout small.json large
    tee say <.err
    full=$(grep -o -- '--layout=[^ ]*' say)
    code hprof-diff --layout=${full#--layout=} small.json large
done
hprof-diff --layout=hotspot --format=json large >large.json
code hprof-diff small.json large.json
cat .err
# a duplicate member is no reason to treat the file as NDJSON
printf '{"tool":"hprof-diff","tool":"hprof-diff"}' >twice.json
code hprof-diff twice.json large
cat .err
# saved results contain the identity of sites, so it stays the same
fixture agent >sites
hprof-diff --by=site --format=json sites |
    jq -r '.rows[] | select(.site and (.frames | length > 1)) | .site' | sort
