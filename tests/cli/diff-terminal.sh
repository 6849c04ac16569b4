# A table has 30 rows and says how many more there are, unless --top is given. It
# is the same on a terminal and in a pipe of the same width.
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
script -qec "stty cols 80; COLUMNS= hprof-diff --color=never a" /dev/null </dev/null |
    tr -d '\r' >terminal
COLUMNS= hprof-diff a >pipe
same pipe terminal
