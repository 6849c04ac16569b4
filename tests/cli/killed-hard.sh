# After kill -9 during the output there is no output file. If the file system
# has unnamed files, nothing at all is left.
fixture many-objects >a
for o in '' --compress=zstd --to=ndjson; do
    rm -f fifo
    mkfifo fifo
    { head -c 3000000 a; touch fed; exec sleep 60; } >fifo &
    feeder=$!
    # shellcheck disable=SC2086
    hprof-convert $o fifo out 2>.err &
    converter=$!
    await fed
    kill -KILL $converter
    wait $converter 2>/dev/null
    echo "$?"
    kill $feeder 2>/dev/null
    wait $feeder 2>/dev/null
    rm fed
    left_over a fifo
done
