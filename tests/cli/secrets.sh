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
# JSON says what was searched, also if nothing was found
for f in a d; do
    for categories in "" =sessions,cards; do
        hprof-validate --secrets$categories --format=json $f |
            jq -c '.files[0].secrets'
    done
done
hprof-validate --format=json b | jq -c '.files[0].secrets'
hprof-validate --secrets --disable=secret --format=json b | jq -c '.files[0].secrets'
hprof-validate --secrets --format=json b >known
hprof-validate --secrets --baseline=known --format=json b |
    jq -c '.files[0] | [.known > 0, .secrets.found]'
# only the first 64 MB of a STRING record are searched, and the program says so
for n in 3 4; do
    {
        head -c 31 a
        printf "\\1\\0\\0\\0\\0\\$n\\0\\0\\10\\0\\0\\0\\0\\0\\0\\0\\1"
        head -c $((n << 24)) /dev/zero | tr '\0' x
        tail -c +32 a
    } >e
    hprof-validate --secrets e 2>&1 | grep -E "found no|64 MB"
    hprof-validate --secrets --format=json e |
        jq -c '.files[0] | [.secrets.complete, .limits]'
done
rm e
# a file without a heap dump has only STRING records, and a damaged file is
# searched as far as it can be read; the report says what was not searched
{
    head -c 31 a
    printf '\1\0\0\0\0\0\0\0\35\0\0\0\0\0\0\1\0:%s' $key
} >noheap
head -c -20 b >cut
{ cat b && printf '\377%50s' ; } >tail
head -c 20 a >head
for f in noheap cut tail head; do
    hprof-validate --secrets $f 2>.err | grep -E "found no|limit:|held by|a secret"
    hprof-validate --secrets --format=json $f 2>.err |
        jq -c '.files[0] | [.secrets, .limits]'
done
hprof-validate --secrets --dump=7 --format=json a 2>.err |
    jq -c '.files[0] | [.secrets, .limits]'
code hprof-validate --secrets=mail a
code hprof-validate --secrets= a
