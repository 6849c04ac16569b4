# A dump that is cut inside a long array, plain or compressed: the message is
# the same from a file, from a pipe and on any number of threads, and names the
# compression where that is the cause.
fixture uses-large --id-size=8 >whole
hprof-convert -q --compress=gzip --force whole z
head -c 5000 whole >a
head -c $(($(wc -c <z) / 2)) z >b
for file in a b; do
    for options in '' --standard --strip-arrays --to=text; do
        for threads in 1 3; do
            # shellcheck disable=SC2086
            hprof-convert $options --threads=$threads $file out 2>&1
            # shellcheck disable=SC2086
            hprof-convert $options --threads=$threads - out <$file 2>&1
            # shellcheck disable=SC2086
            cat $file | hprof-convert $options --threads=$threads - out 2>&1
        done
    done | sed 's/^hprof-convert: [^:]*: //' | sort -u
done
left_over a b whole z
no_temp
