# Text dumps with sampled objects have margins of error in the table, JSON, CSV
# and HTML. Rows of arrays have wider margins, because their sizes may differ.
# needs: text
fixture agent >g
hprof-convert --to=text g plain.txt 2>.err
settings='hprof-agent: sample=64 lost=0 depth=4 vm=17'
sed "s/^Identifiers have.*/&\n$settings/" plain.txt >a.txt
sed "s/sample=64/sample=4096/" a.txt >b.txt

by=(--by=site --measure=allocated --all)
hprof-diff "${by[@]}" a.txt b.txt | sed 's/  */ /g; s/──*/-/'
hprof-diff "${by[@]}" --format=json a.txt b.txt >json
jq -c '.dumps[].sample, (.rows[] | [.key, .count[0], .bytes[0],
    .error_count, .error_bytes])' json
# ten orders of 44 bytes: 1.96 * sqrt(10 (1 - p) / p), p = 1 - exp(-44 / 64)
jq '[.rows[] | select(.key == "com.acme.Order")][0] |
    .error_count[0] == (1.959964 * (10 / ((44 / 64 | exp) - 1) | sqrt) | floor)
    ' json
# one array of 32 bytes: for its count it is treated as if it had 16
jq '[.rows[] | select(.key == "com.acme.Order[]")][0] |
    .error_count[0] == (1.959964 * (1 / ((16 / 64 | exp) - 1) | sqrt) | floor)
    ' json

# CSV has the same as JSON, and no margins if nothing was sampled
hprof-diff "${by[@]}" --format=csv a.txt b.txt >csv
head -n 1 csv
tail -n +2 csv | cut -d, -f1-11 | tr -d '"' | sort >got
jq -r '.rows[] | [.key, .count[], .bytes[], .delta_count, .delta_bytes,
    .error_count[], .error_bytes[]] | map(tostring) | join(",")' json |
    sort >want
same want got
hprof-diff "${by[@]}" --format=csv plain.txt | head -n 1
hprof-diff "${by[@]}" plain.txt | grep -c ±

# the page has a column for the margins, from the same JSON
hprof-diff "${by[@]}" --format=html a.txt b.txt |
    grep -c 'error_bytes":\['
