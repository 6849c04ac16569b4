# A dump that is truncated inside a long array, plain or compressed. The message
# must be the same from a file, from a pipe and with any number of threads. If
# the compressed data is truncated, the message says so.
# needs: text
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
done | sed 's/^offset [0-9]*: the gzip/offset N: the gzip/' # by the processor
# Problems of the compression or of the agent's text are reported first by all
# conversions that read the input twice, and nothing is written. A pipe is first
# copied completely.
fixture art | gzip -n >art.gz
head -c $(($(wc -c <art.gz) / 2)) art.gz >c.gz
fixture agent | hprof-convert -q --to=text - whole.txt
head -c $(($(wc -c <whole.txt) / 2)) whole.txt >c.txt
for file in c.gz c.txt; do
    for options in --heaps=nobody --join-traces --strip-strings --to=text \
        --to=ndjson; do
        # shellcheck disable=SC2086
        refused hprof-convert $options $file
        # shellcheck disable=SC2086
        cat $file | refused hprof-convert $options -
    done | sed 's/hprof-convert: [^:]*: //' | uniq -c | sed 's/^ *//'
done
left_over a b whole z art.gz c.gz whole.txt c.txt
no_temp
