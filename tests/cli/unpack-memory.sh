# --memory and decompression: a large zstd window or a block of a pack that does
# not fit is refused, and the message names it. With more memory it is read.
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
# the program has already tried one thread, so the message does not suggest
# fewer
fixture large-before >large
hprof-convert -q --compress=zstd large large.zst
for threads in 1 2; do
    code hprof-diff --memory=24M --threads=$threads large.zst
    sed 's/ [0-9]* MB/ N MB/g' .err
done
# Blocks of many small items need twice the memory. Then fewer blocks are
# unpacked at a time, and more memory never fails if less is enough. The input
# has roots in 18 segments of 16 MB.
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\0'
    for _ in {1..18}; do
        printf '\34\0\0\0\0\0\377\377\372'
        head -c 16777210 /dev/zero | tr '\0' '\377'
    done
    printf '\54\0\0\0\0\0\0\0\0'
} >roots
quiet hprof-convert --to=pack roots roots.pack
for memory in 120M 256M 400M 600M; do
    cat roots.pack | hprof-convert --threads=8 --memory=$memory --to=hprof - \
        out 2>.err && same_or_say "$memory" roots out || cat .err
    rm -f out
done
