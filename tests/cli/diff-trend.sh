# Three dumps have a column each. Rows that grow in every step come first and
# are marked.
fixture hotspot >a
fixture leak-before >b
fixture leak-after >c
hprof-diff --format=json a b c | jq -c '.rows[] | select(.key |
    startswith("com.")) | [.key, .count, .delta_count, .grows]'
hprof-diff --format=csv a b c | head -n 1
hprof-diff --format=json a b a | jq -c '.rows[] | [.key, .count, .grows]'
hprof-diff a b c | grep -c grows
code hprof-diff --exit-code a a a
code hprof-diff --exit-code a b a
