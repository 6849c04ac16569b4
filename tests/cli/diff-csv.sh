# CSV has a header, and the same figures as JSON.
fixture leak-before >a
fixture leak-after >b
hprof-diff --format=csv a | head -n 1
hprof-diff --format=csv a b | tr -d '\r' >csv
head -n 1 csv
hprof-diff --format=json a b >json
tail -n +2 csv | tr -d '"' | sort >got
jq -r '.rows[] | [.key, .count[], .bytes[], .delta_count, .delta_bytes] |
    map(tostring) | join(",")' json | sort >want
same want got
