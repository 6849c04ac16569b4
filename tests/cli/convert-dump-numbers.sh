# --to=ndjson and --to=tables for one dump of a file with several. The dump
# keeps its number and its offsets in the file, so the lines equal those of a
# complete conversion without the other dumps.
need jq
{ fixture two-dumps --id-size=8 && fixture hotspot --id-size=8 | tail -c +32; } >a
for options in '' --edges --strings; do
    # shellcheck disable=SC2086
    quiet hprof-convert --to=ndjson $options --force a all
    for n in 1 2 3; do
        # a HEAP_DUMP_END line belongs to the dump that it ends
        awk -v n=$n '/"record":"HEAP_DUMP_END"/ && dump != n { next }
            match($0, /"dump":[0-9]+/) {
                dump = substr($0, RSTART + 7, RLENGTH - 7)
                if (dump != n)
                    next
            }
            { print }' all >want
        # shellcheck disable=SC2086
        quiet hprof-convert --to=ndjson $options --dump=$n --force a got
        same want got
        # shellcheck disable=SC2086
        hprof-convert --to=ndjson $options --dump=$n - <a 2>.err | cmp - got
    done
done
# tables with the id of the file. (Object sizes are estimated from everything
# that was read; they are in the columns after the sixth.)
quiet hprof-convert --to=tables a all-tables
for n in 1 2 3; do
    quiet hprof-convert --to=tables --dump=$n a tables$n
    for table in objects edges classes roots dumps; do
        awk -F '\t' -v n=$n 'NR == 1 || $1 == n' all-tables/$table.tsv |
            cut -f 1-6 >want
        cut -f 1-6 tables$n/$table.tsv >got
        same_or_say "$table of dump $n" want got
        looked
    done
done
looked_at 15
# a graph is of one dump; the second dump gives the same graph as when it is
# alone
quiet hprof-convert --to=ndjson --graph --dump=3 --force a got
fixture hotspot --id-size=8 >one
quiet hprof-convert --to=ndjson --graph --force one want
for file in want got; do
    jq -c 'select(.retained_bytes) | [.id, .retained_bytes, .depth]' $file >$file.graph
done
same want.graph got.graph
code hprof-convert --to=ndjson --dump=4 a none
cat .err
code hprof-convert --to=tables --dump=4 a none
# a dump without objects also has a number
fixture segment-after-end >b
quiet hprof-convert --to=tables --dump=2 b tables4
tail -n 1 tables4/dumps.tsv | cut -f 1,9
# with --salvage the numbers are also those of the input
quiet hprof-convert --to=ndjson --salvage --dump=2 --force a got
jq -r .dump got | sort -u | xargs
rm -r a b all want got one want.graph got.graph all-tables tables[1234]
left_over
no_temp
