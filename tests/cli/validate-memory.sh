# --memory is respected. A file is then read several times with the same result.
# From a pipe, the result says which checks were not possible. What cannot be
# done at all is refused.
# needs: pack
fixture many-objects --id-size=8 >m
fixture dangling-array >a
for f in m a; do
    hprof-validate --format=json $f >want
    for memory in 2MB 500KB; do
        for threads in 1 3; do
            hprof-validate --format=json --memory=$memory \
                --threads=$threads $f >got
            echo "$? $f $memory $threads: $(same want got)"
        done
    done
done
for memory in 64MB 1MB; do
    cat m | hprof-validate --format=json --memory=$memory --threads=1 - \
        >got 2>err
    echo "$? $(jq -c '.files[0] | [.verdict, .references, .limits]' got)"
    cat err
done
hprof-validate --memory=4KB m 2>&1
echo $?
# the last segment, which has one object, is repeated: no id is invented
{ command head -c -9 m; tail -c 81 m; } >again
for memory in 64MB 1MB; do
    cat again | hprof-validate --format=json --memory=$memory --threads=1 - \
        2>.err | jq -c '.files[0].rules[] | select(.rule == "object-dup")'
done

# some hundred ids in each of many address ranges: refused after one pass,
# instead of hundreds of passes
crafted stretches 2 >s
refused hprof-validate --memory=64MB --threads=4 s
# one trace of four million frames, which needs half of --memory: refused before
# it is stored
crafted stacks 8 >t
peak 64 hprof-validate --memory=64MB --threads=2 t
echo "$? $(head -n 1 .err | least)"
# A million fields with missing names: refused while they are collected. The
# same for many dumps with some such fields. A line of seq is a field: a name of
# 8 bytes, and 10, the type int.
fields() { # fields TAG RECORDS
    printf 'JAVA PROFILE 1.0.%d\0\0\0\0\10\0\0\1\214\0\0\0\0' "$((16#$1 / 28 + 1))"
    for i in $(seq "$2"); do
        printf "\x$1"'\0\0\0\0\0\11\0\76\40\0\0\0\0\0\0\20%b' \
            "\\0$(printf %o "$i")"
        command head -c 60 /dev/zero
        printf '\377\377'
        seq $((10000000 + i * 65535)) $((10065534 + i * 65535))
    done
}
for tag in 0c 1c; do
    fields $tag 16 >n
    peak 64 hprof-validate --memory=64MB --threads=2 n
    echo "$? $(head -n 1 .err | least)"
done
# roots are stored once while they are checked, and the data about threads is
# freed before roots are compared
crafted threads 8 >t
peak 80 hprof-validate --memory=80MB --threads=2 t
# traces of objects are also stored once; the memory for threads is checked
# before it is allocated
crafted started 6 >t
peak 80 hprof-validate --memory=80MB --threads=2 t
crafted started 10 >t
peak 104 hprof-validate --memory=104MB --threads=2 t
echo "$? $(head -n 1 .err | least)"
# a growing table exists twice for a moment, so its memory is checked before
peak 88 hprof-validate --memory=88MB --threads=2 t
echo "$? $(head -n 1 .err | least)"
# the fixed memory of a run counts, and classes count when they are read
for shape in names loads stacks; do
    crafted $shape 2 >t
    for threads in 1 2; do
        peak 64 hprof-validate --memory=64MB --threads=$threads t
        echo "$? $(head -n 1 .err | least)"
    done
done
# the slots of loaded classes exist twice while they grow
crafted stacks 4 >t
peak 32 hprof-validate --memory=32MB --threads=2 t
echo "$? $(head -n 1 .err | least)"
# as many findings as requested, each with a class name of 8 KB
crafted packages 20 >p
for size in 40 80; do
    peak $size hprof-validate --memory=${size}MB --level=graph \
        --max-examples=65536 p
    echo "$? $(grep -c 'does not fit in --memory=' .err)"
done
# With little memory the whole process stays within the limit, including program
# and libraries: no huge pages, no mapped file, and smaller tables.
for shape in names segments mentions again locals singles loads pools; do
    crafted $shape 0.5 >t
    peak 16 hprof-validate --level=graph --memory=16MB --threads=2 t
    echo "$? $(grep -c 'does not fit in --memory=16MB' .err) $shape"
done
peak 16 hprof-validate --level=graph --memory=16MB --threads=2 m
echo "$? $(grep ^hprof .err)"
hprof-validate --level=graph --format=json m >want
hprof-validate --level=graph --format=json --memory=16MB m >got 2>.err
same want got
# A compressed file needs two decoders at once: less than 40 MB is refused.
zstd -q -1 --long=23 m -o m.zst
code hprof-validate --level=graph --memory=39MB m.zst
cat .err
peak 40 hprof-validate --level=graph --memory=40MB --threads=2 m.zst
echo "$?"
# A decoder counts at every level: for zstd, a window of 8 MB and a block.
crafted names 2 >t
zstd -q -1 --long=23 t -o t.zst
zstd -lv t.zst 2>&1 | grep -c 'Window Size: 8.00 MiB'
hprof-convert -q --to=pack t t.pack
for level in framing references; do
    for file in t.zst t.pack m.zst; do
        peak 16 hprof-validate --level=$level --memory=16MB --threads=2 $file
        echo "$? $(grep -c 'does not fit in --memory=16MB' .err) $file"
    done
done
