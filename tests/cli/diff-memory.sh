# --memory: work that does not fit is done in more passes, or refused. Otherwise
# the result is the same as without a limit, and the peak stays below the limit.
# needs: text
fixture agent >g
fixture many-objects --id-size=8 >m
fixture many-sites >s
fixture many-fillers >f

# alike CMD...: check that the result within 64 MB is the same as without a
# limit
alike() {
    "$@" --format=json >want
    "$@" --format=json --memory=64MB >got
    same want got
}

refused hprof-diff --memory=10KB g
# if less memory is left for counting than the message says, it is refused
refused hprof-diff --memory=20MB g
quiet hprof-diff --memory=21MB g
alike hprof-diff --by=site s
alike hprof-diff --by=site g
alike hprof-diff --by=loader --threads=8 m
cat m | hprof-diff --memory=64MB --by=loader --format=json - | plain_json - >got
hprof-diff --by=loader --format=json m | plain_json - >want
same want got
for size in 24MB 32MB 64MB; do
    peak ${size%MB} hprof-diff --memory=$size m
    peak ${size%MB} hprof-diff --memory=$size --by=site s
    peak ${size%MB} hprof-diff --memory=$size --fillers=hide f
    peak ${size%MB} hprof-diff --memory=$size --estimate m
done

# hundreds of thousands of classes, and lists for each of them
crafted kinds 4 >n
peak 100 hprof-diff --memory=100MB --estimate n
echo "$? kinds --estimate"
refused hprof-diff --memory=30MB --estimate n
# the value of --memory that the message suggests is enough after two tries
memory=25MB
for try in 1 2; do
    hprof-diff --memory=$memory --estimate n >.out 2>.err && break
    memory=$(sed -n 's/.*for example --memory=//p' .err)
done
hprof-diff --memory="$memory" --estimate n >.out 2>.err ||
    problem "--memory=$memory is not enough: $(cat .err)"

# fillers in one pass and in several. With 22 MB the parts of the first attempt
# are too large in one of four runs, depending on the random seed.
hprof-diff --fillers=hide --format=json f >want
for size in 21MB 22MB 22MB 22MB 22MB 23MB 64MB; do
    hprof-diff --fillers=hide --format=json --memory=$size f >got
    same want got
done

# a saved result and a table with many rows
awk 'BEGIN {
    n = 150000
    printf "{\"tool\":\"hprof-diff\",\"schema\":1,\"by\":\"class\","
    printf "\"normalize\":true,\"layout\":{\"reference\":4,"
    printf "\"header\":12,\"array_header\":16,\"alignment\":8,"
    printf "\"source\":\"auto\"},\"dumps\":[{\"path\":\"a\","
    printf "\"dialect\":\"hotspot\",\"objects\":%d,\"bytes\":%d,", n, n
    print "\"partial\":false}],\"rows\":["
    for (i = 0; i < n; i++)
        printf "%s{\"key\":\"com.acme.Type%d\",\"count\":[1],\"bytes\":[1]}\n",
            i ? "," : "", i
    print "]}"
}' >rows.json
refused hprof-diff --memory=64MB rows.json
hprof-diff --memory=1GB --top=1 rows.json | tail -n 1

# parts of the graph besides its arrays: roots and weak references, local
# variables of threads, kinds of objects
for shape in weak locals lengths; do
    crafted $shape 8 >l
    for option in --retained --by=path --by=holder --by=root --by=reference --by=waste \
        --by=thread "--by=waste --show-values" "--by=waste --retained"; do
        # shellcheck disable=SC2086 # two options
        peak 64 hprof-diff --memory=64MB $option l
        # which of them is the first that does not fit depends on the threads
        echo "$? $shape $option: $(grep -c ' fit .*--memory.*; allow more' .err)"
    done
    peak 400 hprof-diff --memory=400MB --retained l
    echo "$? $shape"
done
# a list of roots is moved, not copied, so more roots fit before it is refused
crafted weak 10 >r
peak 64 hprof-diff --memory=64MB --by=holder r
echo "$? $(grep -c ' fit .*--memory.*; allow more' .err)"
# values of overflowing counters are added up, for any number of objects; the
# table of overflows exists twice while it grows
crafted shared 8 >r
hprof-diff --memory=48MB --threads=2 --by=holder r |
    grep -c '6,800,000  java.lang.Object'
peak 64 hprof-validate --memory=64MB --level=graph l
echo "$? $(grep hprof .err | least)"

# A larger limit that allows a second thread is not refused if a smaller one is
# enough. Messages about the dump are printed once.
crafted weak 2 >l
head -c -9 l >cut
for size in 26 34 35 36 37 38 39 40 42 44; do
    hprof-diff --by=holder --threads=2 --memory=${size}MB l >.out 2>.err
    file=$?
    cat l | hprof-diff --by=holder --threads=2 --memory=${size}MB - >.out 2>.err
    pipe=$?
    hprof-diff --by=holder --threads=2 --memory=${size}MB --partial cut \
        >.out 2>.err
    echo "$size $file $pipe $? $(grep -c '' .err)"
done
hprof-diff --by=holder --format=rows --memory=37MB --threads=2 l | wc -l

# a saved result with 3 MB of text and 230 MB as a parsed tree
awk 'BEGIN {
    printf "{\"tool\":\"hprof-diff\",\"schema\":1,\"x\":["
    for (i = 0; i < 1000000; i++)
        printf "{},"
    print "{}]}"
}' >braces.json
peak 128 hprof-diff --memory=128MB braces.json
echo "$? $(grep hprof .err | least)"

# packages nested so deeply that their names would add up to gigabytes
crafted packages >p
peak 128 hprof-diff --memory=128MB --by=package --retained p
echo "$? $(grep hprof .err | least)"

# names of kilobytes for each static field of a class that is a root, or is in
# the middle of paths
for shape in statics loaded; do
    crafted $shape 8 >n
    for option in '--why=*' --by=path --by=dominator --object=0x1000; do
        peak 100 hprof-diff --memory=100MB "$option" n
        echo "$? $shape $option: $(grep -c ' fit .*--memory.*; allow more' .err)"
    done
done
# classes of one name, each with a copy of it
crafted kinds 4 >n
for option in --retained '--why=*'; do
    peak 140 hprof-diff --memory=120MB "$option" n
    echo "$? kinds $option: $(grep -c ' fit .*--memory.*; allow more' .err)"
done

# hundreds of thousands of threads with names to look up
crafted threads 8 >n
for size in 80 160; do # with the graph there is no room for them
    peak $((size + 10)) hprof-diff --memory=${size}MB --threads=2 --retained n
    echo "$? $(grep -c ' fit .*--memory.*; allow more' .err)"
done

# buffers: their capacities, sorted, and the bytes of each
crafted buffers 4 >n
peak 90 hprof-diff --memory=90MB --threads=2 --columns=native n
echo "$? $(grep -c ' fit .*--memory.*; allow more' .err)"
peak 130 hprof-diff --memory=160MB --threads=2 --columns=native n
echo "$? $(tail -n 1 .out)"

# the tree of paths to all objects, which contains the names again
crafted statics >n
peak 200 hprof-diff --memory=200MB --threads=1 '--why=*' --format=csv n
echo "$? $(grep -c ' fit .*--memory.*; allow more' .err)"
quiet hprof-diff --memory=400MB --threads=1 '--why=*' --format=csv n

# saved_head KEY N: print the beginning of a saved result of N objects of 16
# bytes
saved_head() {
    printf '{"tool":"hprof-diff","schema":1,"by":"%s","normalize":true,' "$1"
    printf '"reachability":"soft","layout":{"reference":4,"header":12,'
    printf '"array_header":16,"alignment":8,"source":"auto"},"dumps":[{'
    printf '"path":"a","dialect":"hotspot","objects":%d,"bytes":%d,' \
        "$2" $((16 * $2))
    printf '"reachable":{"objects":%d,"bytes":%d},' "$2" $((16 * $2))
    printf '"%s":{"objects":0,"bytes":0},' weak unreachable
    printf '"partial":false}],"total":{"count":[%d],"bytes":[%d]},"rows":[' \
        "$2" $((16 * $2))
}
# saved rows of many steps: steps need many times the bytes of the text
{
    saved_head path 20000
    awk 'BEGIN {
        for (k = 0; k < 62; k++)
            steps = steps ".a → b"
        for (i = 0; i < 20000; i++) {
            printf "%s{\"key\":\"A%d.x (static) → B%s\",", i ? "," : "", i,
                steps
            printf "\"count\":[1],\"bytes\":[16],\"retained_count\":[1],"
            print "\"retained_bytes\":[16]}"
        }
        print "]}"
    }'
} >steps.json
for size in 144 180; do
    peak $size hprof-diff --memory=${size}MB --threads=1 --by=path steps.json
    echo "$? $(grep hprof .err | least)"
done
# the first of very many results, whose rows have a value for each
{
    saved_head class 20000
    awk 'BEGIN {
        for (i = 0; i < 20000; i++)
            printf "%s{\"key\":\"A%d\",\"count\":[1],\"bytes\":[16]}\n",
                i ? "," : "", i
        print "]}"
    }'
} >first.json
saved_head class 0 >none.json
echo ']}' >>none.json
none=$(printf 'none.json %.0s' {1..299})
# shellcheck disable=SC2086 # as many arguments
peak 128 hprof-diff --quick --memory=128MB first.json $none
echo "$? $(grep -c hprof .err) $(grep first .err | least)"
# a row for each line of a text report
awk 'BEGIN {
    print "JAVA PROFILE 1.0.1, created Mon Nov  9 10:00:00 2026\n\n--------\n"
    print "TRACE 300001:\n\tA.b(C.java:1)\n"
    print "MONITOR TIME BEGIN (total = 100 ms) Mon Nov  9 10:00:00 2026"
    print "rank   self  accum   count trace monitor"
    for (i = 1; i <= 150000; i++)
        printf "%4d 0.01%% 0.01%% 1 0 A%d (Java)\n", i, i
    print "MONITOR TIME END"
}' >monitors
peak 64 hprof-diff --memory=64MB --threads=1 --partial --by=monitor monitors
echo "$? $(grep -c ' fit .*--memory.*; allow more' .err)"
# 300,000 objects that wait for their finalizer: the lists of finalizers are charged
# before they are allocated. What is above the limit are mapped temporary files.
crafted waiting 2 >w
peak 48 hprof-diff --by=path --memory=32MB --threads=2 w
echo "$? $(grep -c ' fit .*--memory.*; allow more' .err)"
