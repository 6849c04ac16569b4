# If a HEAP DUMP END has a body, which is wrong, joining the segments leaves out
# both.
for size in 4 8; do
    fixture length-end --id-size=$size >dump
    quiet hprof-convert --profile=1.0.1 dump joined
    quiet hprof-validate joined
    [ -s joined ] || echo "nothing written"
    [ -s .out ] || echo "nothing said of it"
    rm -f joined
done
