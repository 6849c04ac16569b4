# Hostile texts: a line of 256 MB, garbage, and names with any characters.
# All three programs report the problem and need little memory.
# harness: statuses
# needs: text
fixture agent >a
hprof-convert --to=text a t

# try NAME MIB: run all programs on the file, with so much memory
try() {
    echo "$1"
    peak "$2" hprof-validate "$1"
    echo "$? $(tail -n 1 .out)"
    peak "$2" hprof-diff "$1"
    echo "$? $(grep -m 1 '^hprof-' .err)"
    peak "$2" hprof-convert --force "$1" o
    echo "$? $(grep -m 1 '^hprof-' .err)"
}

# Zeros in a sparse region, between ordinary lines
cp t long
truncate -s 256M long
printf '\nTHREAD END (id = 1)\n' >>long
try long 64
rm long
# without any newline up to the end
head -n 60 t >endless
truncate -s 64M endless
try endless 64
rm endless

# A binary file in the place of each part
{
    sed -n '1,/^--------/p' t
    cat a a a
} >noise
try noise 64
{
    sed '/^HEAP DUMP END/,$d' t
    cat a
    printf '\n'
    sed -n '/^HEAP DUMP END/,$p' t
} >inside
try inside 64

# Names that the agent does not escape: thread names with newlines, quotes and
# their terminators, class names with the separators of columns
sed -e 's/name="main"/name="ma\nin", group="\x1b[31m"/' \
    -e 's/com\.acme\.\([A-Z]\)/com@ acme,(\x07\1/g' t >names
cmp -s t names && echo "no name is hostile"
hprof-validate names | LC_ALL=C grep -c '[[:cntrl:]]'
hprof-diff --format=json names 2>.err | LC_ALL=C grep -c '[[:cntrl:]]'
hprof-diff --format=csv names 2>.err | LC_ALL=C grep -c '[[:cntrl:]]'
try names 64

# Few lines with long names: --memory counts bytes
{
    sed -n '1,/^--------/p' t
    long=$(printf '%0250000d' 0)
    echo 'HEAP DUMP BEGIN (0 objects, 0 bytes) x'
    for i in {100..299}; do
        echo "CLS 50000$i (name=C$i$long, trace=0)"
    done
    echo 'HEAP DUMP END'
} >lengths
peak 64 hprof-validate --memory=40M lengths
echo "$? $(grep -o 'names, classes and traces .*' .err)"
peak 64 hprof-diff --memory=40M lengths
echo "$? $(grep -o 'does not fit in --memory=40MB' .err)"

# Many classes, and then many reports: classes cost nothing in reports that do
# not refer to them
{
    sed -n '1,/^--------/p' t
    awk 'BEGIN {
        begin = "HEAP DUMP BEGIN (0 objects, 0 bytes) x\n"
        printf "%s", begin
        for (i = 0; i < 30000; i++)
            printf "CLS %x (name=C%d, trace=0)\n", 1342177281 + i, i
        print "HEAP DUMP END"
        for (i = 0; i < 30000; i++) {
            printf "%sCLS 50000001 (name=C0, trace=0)\nHEAP DUMP END\n", begin
            print "SITES BEGIN (ordered by live bytes) x\nSITES END"
        }
    }'
} >many
(ulimit -t 25; exec hprof-convert many o2 2>.err)
echo "$? many: $(hprof-convert --to=ndjson o2 | grep -c CLASS_DUMP)"
no_temp
