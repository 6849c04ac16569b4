# The line of progress names the phases in which the object graph
# is built.
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >a
# without a terminal, each phase ends with a line
hprof-diff --progress=always a 2>&1 >/dev/null |
    grep -oE 'a(: [a-z ]+)?: [0-9.]+ [KM]B of [0-9.]+ [KM]B, [0-9]+ %' |
    sed 's/[0-9.]* [KM]B of [0-9.]* [KM]B, [0-9]* %/N/' | uniq
hprof-diff --progress=always --quick a 2>&1 >/dev/null | grep -c references || true
