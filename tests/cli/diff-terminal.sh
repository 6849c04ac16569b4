# A table on a terminal has 30 rows, unless it is told how many, and says that
# there are more.
need script
top=$(dirname "$2")/../..
zstd -q -dc "$top/corpus/shop-after.hprof.zst" >a
terminal() {
    echo "-- $*"
    script -qec "hprof-diff --color=never $*" /dev/null </dev/null | tr -d '\r' |
        sed '1,/──/d' >out
    wc -l <out
    tail -n 2 out | sed 's/  */ /g'
}
terminal a
terminal --top=0 a
terminal --top=3 a
terminal --by=heap a
hprof-diff a | wc -l
