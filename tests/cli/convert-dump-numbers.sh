# --to=ndjson and --to=tables of one dump of a file that has several: the dump
# keeps its number and the offsets of the file, so that the lines are those of
# all dumps without the others.
need jq
{ fixture two-dumps --id-size=8 && fixture hotspot --id-size=8 | tail -c +32; } >a
for options in '' --edges --strings; do
    # shellcheck disable=SC2086
    quiet hprof-convert --to=ndjson $options --force a all
    for n in 1 2 3; do
        # HEAP_DUMP_END is a line of the dump that it ends
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
# tables, with the identity of the file (the sizes of objects are estimated from
# all that is read, and are behind the sixth column)
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
# a graph is of one dump; the second one has the same objects as when it is alone
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
# a dump without objects has its number, too
fixture segment-after-end >b
quiet hprof-convert --to=tables --dump=2 b tables4
tail -n 1 tables4/dumps.tsv | cut -f 1,9
# after --salvage the number is the input's as well
quiet hprof-convert --to=ndjson --salvage --dump=2 --force a got
jq -r .dump got | sort -u | xargs
rm -r a b all want got one want.graph got.graph all-tables tables[1234]
left_over
no_temp
