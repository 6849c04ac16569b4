# --memory and what unpacking takes: a large zstd window or a pack's block that
# does not fit is refused, and named; with more memory it is read.
need zstd
head -c 40000000 /dev/zero >zeros
zstd -q --long=27 zeros -o window.zst
quiet hprof-convert --to=pack zeros block.pack
for file in window.zst block.pack; do
    for memory in 40M 256M; do
        code hprof-validate -q --memory=$memory $file
        sed 's/ [0-9]* MB/ N MB/g' .err
    done
done
