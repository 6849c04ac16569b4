# A signal in mid-output leaves nothing behind.
fixture many-objects >a
for signal in TERM INT HUP; do
    rm -f fifo
    mkfifo fifo
    { head -c 3000000 a; sleep 5; } >fifo &
    feeder=$!
    hprof-convert fifo out.zst 2>.err &
    converter=$!
    sleep 0.5
    kill -s $signal $converter
    wait $converter
    [ $? -ne 0 ] || echo "exit 0 after $signal"
    kill $feeder 2>/dev/null
    wait $feeder 2>/dev/null
    left_over a fifo
    no_temp
done
