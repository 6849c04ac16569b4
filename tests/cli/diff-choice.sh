# Which rows are shown, and in which order.
fixture leak-before >a
fixture leak-after >b
keys() {
    hprof-diff --format=json "$@" | jq -c '[.rows[].key]'
}
keys --filter='com.acme.*' a
keys --filter='java.lang.?????' a
keys --sort=name --top=3 a
keys --sort=count --top=2 a
keys --top=1 a b
keys --all --filter='*Order*' a b
hprof-diff --filter='com.acme.*' --format=json a b | jq -c '.total.count'
hprof-diff --top=2 a | grep -c .
