# A signal during the output leaves no file behind.
fixture many-objects >a
for signal in TERM INT HUP; do
    rm -f fifo
    mkfifo fifo
    { head -c 3000000 a; touch .fed; exec sleep 60; } >fifo &
    feeder=$!
    # A shell lets its background processes ignore SIGINT, so restore the
    # default.
    env --default-signal=INT hprof-convert fifo out.zst 2>.err &
    converter=$!
    await .fed
    kill -s $signal $converter
    wait $converter
    status=$?
    [ $status -eq $((128 + $(kill -l $signal))) ] ||
        echo "exit $status after $signal"
    kill $feeder 2>/dev/null
    wait $feeder 2>/dev/null
    rm .fed
    left_over a fifo
    no_temp
done
