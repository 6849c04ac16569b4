# --secrets finds credentials, and no format of the report shows them. The key is
# random; it is put together here so that no scanner of repositories takes it for
# a real one.
key=AKI"AJ7PQ2RS4TU6VW8XY"
fixture hotspot >a
LC_ALL=C sed "s/<resolved_references>/ $key/" a >b
code hprof-validate --secrets a
code hprof-validate b
code hprof-validate --secrets --disable=secret b
code hprof-validate --secrets b
hprof-validate --secrets b | sed -n '/error/,/at byte/p'
hprof-validate --secrets --format=sarif b |
    jq -c '.runs[0].results[] | select(.ruleId == "secret") | [.level, .message.text]'
# the same from a pipe, compressed, and with any number of threads
gzip -c b >b.gz
for f in b b.gz; do
    for threads in 1 3; do
        hprof-validate --secrets --threads=$threads --format=json $f |
            jq -c '.files[0].rules' | md5sum >"sum-$f-$threads"
    done
    hprof-validate --secrets --format=json - <$f | jq -c '.files[0].rules' |
        md5sum >"sum-$f-pipe"
done
cat sum-* | sort -u | wc -l
for format in text json sarif junit github html rows tsv; do
    hprof-validate --secrets -v --format=$format b >out 2>&1
    [ -s out ] || problem "$format: no report"
    grep -c "$key" out || :
done | sort | uniq -c
# categories that are off by default; --secrets reports what it has searched
mail="ab.cdef""@example.com"
LC_ALL=C sed "s/<resolved_references>/<$mail>/" a >c
LC_ALL=C sed "s/<resolved_references>/4111-1111-1111-1111../" a >d
for f in a c d; do
    for categories in "" =sessions =email =cards =email,sessions =all; do
        code hprof-validate --secrets$categories $f
    done
done
for categories in "" =credentials =email =cards,email =all; do
    hprof-validate --secrets$categories a | grep "found no"
done
hprof-validate -q --secrets a | grep "found no" && problem "-q: shown"
hprof-validate --secrets b | grep "found no" && problem "not true"
hprof-validate --secrets=all c | grep -c "$mail"
hprof-validate --secrets=email c | grep "at byte"
code hprof-validate --secrets=mail a
code hprof-validate --secrets= a
