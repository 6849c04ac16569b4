# Convert the agent's text format into a valid dump, and back into the same
# text.
# needs: pack text
need jq
for name in agent agent102; do
    fixture $name >a
    hprof-convert --to=text a t
    quiet hprof-convert t b
    quiet hprof-validate --strict b
    quiet hprof-convert --to=text b t2
    same_or_say "$name: back" t t2
    hprof-convert --to=text t t3
    same_or_say "$name: at once" t t3
    # for every kind of input and every way to read it
    hprof-convert --threads=1 - <t 2>.err >b2 || cat .err
    same_or_say "$name: a pipe" b b2
    gzip -c t >t.gz
    quiet hprof-convert t.gz b3
    same_or_say "$name: gzip" b b3
    # NDJSON and compression work; a pack contains the text unchanged
    quiet hprof-convert --to=ndjson t n1
    quiet hprof-convert --to=ndjson b n2
    same_or_say "$name: ndjson" n1 n2
    quiet hprof-convert --compress=zstd t b.zst
    zstd -dqc b.zst | same_or_say "$name: zstd" b -
    quiet hprof-convert --to=pack t t.pack
    quiet hprof-convert t.pack t4
    same_or_say "$name: pack" t t4
    quiet hprof-convert --to=ndjson t.pack n3
    same_or_say "$name: a pack read" n1 n3
    # tables are equal except for the columns that identify the input
    quiet hprof-convert --to=tables t tt
    quiet hprof-convert --to=tables b tb
    for table in tb/*.tsv; do
        case $table in tb/dumps.tsv) continue ;; esac
        looked
        same_or_say "$name: $table" "$table" "tt/${table#tb/}"
    done
    looked_at 5+
    rm -r tt tb
    # stripping is proved: the text has no values, so nothing changes
    quiet hprof-convert --strip-arrays --strip-fields t s
    same_or_say "$name: stripped" b s
    quiet hprof-convert --strip-arrays --strip-fields t.pack s2
    same_or_say "$name: a pack stripped" b s2
    # a pack of the converted text
    for change in --strip-arrays --salvage --dump=1 --standard --profile=1.0.1; do
        hprof-convert $change t c1 2>.err || cat .err
        hprof-convert --to=pack $change t c.pack 2>.err || cat .err
        quiet hprof-convert c.pack c2
        same_or_say "$name: $change, packed" c1 c2
        rm -f c1 c2 c.pack
    done
    quiet hprof-convert --raw --compress=gzip t r.gz
    gzip -dc r.gz | same_or_say "$name: raw" t -
    rm -f ./*
done
# escaped names get their original characters
fixture hostile-names >a
hprof-convert --to=text a t
hprof-convert t b
hprof-convert --to=text b t2
same t t2

# a text that is truncated after any line is reported, and nothing is written
lines=$(wc -l <t)
for n in 20 60 100; do
    head -n $n t >cut
    refused hprof-convert cut out
    [ -e out ] && echo "written: $n of $lines"
done
code hprof-convert --salvage cut out
code hprof-validate out
# an array gives its length: it counts as uncompressed size for --max-size
{
    sed -n '1,/^--------/p' t
    printf '\nHEAP DUMP BEGIN (1 objects, 9 bytes) x\n'
    printf 'ARR 1 (sz=8, trace=0, nelems=2000000000, elem type=long[])\n'
    printf 'HEAP DUMP END\n'
} >bomb
rm -f out
refused hprof-convert --max-size=1MB bomb out

# the text as the agent writes it on Windows, with a line that it truncated: no
# newline
rm -f ./*
fixture agent >a
hprof-convert --to=text a t
{
    sed '1,/^--------/{/^Written by/d}' t
    printf 'SITES BEGIN (ordered by live bytes) x\n'
    printf '    1 50.00%% 50.00%% 1 1 1 1 0 %0993d' 0
    printf '    2 50.00%% 100.00%% 1 1 1 1 0 B\nSITES END\n'
} >lf
sed 's/$/\r/' lf >crlf
code hprof-convert lf b
code hprof-convert crlf b2
same_or_say "of Windows" b b2
hprof-convert --threads=1 - <crlf 2>.err >b3 || cat .err
same_or_say "of Windows: a pipe" b b3

# a character of four bytes has six bytes in a dump: U+1F600 and U+F0000
rm -f ./*
fixture agent >a
hprof-convert --to=text a t
for name in "$(printf '\360\237\230\200')" "$(printf '\363\260\200\200')"; do
    sed "s/name=\"main\"/name=\"$name\"/" t >named
    code hprof-convert --force named b
    hprof-convert --to=ndjson b | jq -r 'select(.record == "START_THREAD").name'
    LC_ALL=C grep -aob "$(printf '\355[\240-\277].\355[\260-\277].')" b | wc -l
done

# ART's Object has fields, which are the object header: subclasses have them
# once
rm -f ./*
{
    printf 'JAVA PROFILE 1.0.1, created Thu Jan  1 00:00:00 1970\n\n'
    printf -- '--------\nHEAP DUMP BEGIN (3 objects, 48 bytes) x\n'
    printf 'OBJ 30 (sz=8, trace=0, class=java.lang.Object@10)\n'
    printf '\tshadow$_klass_\t10\n'
    printf 'OBJ 40 (sz=16, trace=0, class=java.lang.Integer@20)\n'
    printf '\tshadow$_klass_\t20\n'
    printf 'OBJ 50 (sz=24, trace=0, class=Node@28)\n'
    printf '\tshadow$_klass_\t28\n\tnext\t\t50\n'
    printf 'CLS 10 (name=java.lang.Object, trace=0)\n'
    printf 'CLS 20 (name=java.lang.Integer, trace=0)\n\tsuper\t\t10\n'
    printf 'CLS 28 (name=Node, trace=0)\n\tsuper\t\t10\n'
    printf 'HEAP DUMP END\n'
} >t
hprof-diff --all --format=csv --columns=bytes t t | grep -v Class
