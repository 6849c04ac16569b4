# A program that waits for a FIFO ends at once when it gets a signal. If the
# FIFO's writer dies, the dump counts as truncated.
fixture many-objects >a
gzip -c a >a.gz
for file in a a.gz; do
    for p in validate diff convert; do
        rm -f fifo out
        mkfifo fifo
        args=(fifo)
        [ $p = convert ] && args=(fifo out)
        { head -c 50000 $file; exec sleep 20; } >fifo &
        feeder=$!
        hprof-$p --threads=2 "${args[@]}" >.out 2>.err &
        program=$!
        sleep 0.4
        kill -0 $program 2>/dev/null || echo "$p: did not wait"
        from=$SECONDS
        kill -TERM $program
        wait $program
        status=$?
        [ $((SECONDS - from)) -le 8 ] || echo "$p $file: went on"
        echo "$status $p $file, SIGTERM"
        kill $feeder 2>/dev/null
        wait $feeder 2>/dev/null
        left_over a a.gz fifo
        { head -c 50000 $file; } >fifo &
        timeout 20 hprof-$p --threads=2 "${args[@]}" >.out 2>.err
        echo "$? $p $file, the writer died"
        wait
        left_over a a.gz fifo
    done
done
no_temp
