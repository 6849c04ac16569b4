# A program that waits for a FIFO ends at once when it gets a signal. If the
# FIFO's writer dies, the dump counts as truncated.
fixture many-objects >a
gzip -c a >a.gz
# asleep PID: whether all threads of the process wait
asleep() {
    ! sed 's/.*) //' "/proc/$1/task"/*/stat 2>.err | grep -qv '^S'
}
for file in a a.gz; do
    for p in validate diff convert; do
        rm -f fifo out fed
        mkfifo fifo
        args=(fifo)
        [ $p = convert ] && args=(fifo out)
        # 3 MB are more than a pipe can hold, so when they are written, the
        # program has begun to read.
        { for _ in {1..12}; do cat $file; done | head -c 3000000
            touch fed; exec sleep 60; } >fifo &
        feeder=$!
        hprof-$p --threads=2 "${args[@]}" >.out 2>.err &
        program=$!
        await fed
        eventually asleep $program
        kill -0 $program 2>/dev/null || echo "$p: did not wait"
        kill -TERM $program
        wait $program
        status=$?
        kill -0 $feeder 2>/dev/null || echo "$p $file: went on"
        echo "$status $p $file, SIGTERM"
        kill $feeder 2>/dev/null
        wait $feeder 2>/dev/null
        left_over a a.gz fed fifo
        { head -c 50000 $file; } >fifo &
        timeout 60 hprof-$p --threads=2 "${args[@]}" >.out 2>.err
        echo "$? $p $file, the writer died"
        wait
        left_over a a.gz fed fifo
    done
done
no_temp
