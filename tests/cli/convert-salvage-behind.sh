# --salvage finds a dump that begins after other bytes, and copies it
# completely.
salvaged() {
    code hprof-convert --force --salvage c b
    sed 's/^hprof-convert: //' .err
}
fixture hotspot --id-size=8 >a
# HTTP headers, as "curl --include" writes them, and headers of a proxy before
# them
{
    printf 'HTTP/1.1 200 Connection established\r\n\r\n'
    printf 'HTTP/1.1 200 \r\nContent-Type: application/octet-stream\r\n\r\n'
    cat a
} >c
salvaged
same a b
# the same input compressed, and through a pipe
gzip -c c >c.gz
hprof-convert --salvage - <c.gz 2>.err | cmp - a
code hprof-convert --force --salvage c.gz b
same a b
# lines of a shell that contain a file header, and text that looks like one
{
    echo 'Dumping heap: JAVA PROFILE 1.0.2 ...'
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4........JAVA PROFILE 1.0.2\0\0\0\0\7'
    cat a
} >c
salvaged
same a b
# damage after the header is reported with offsets in the input
{
    head -c 1000 /dev/zero
    fixture subtag-unknown --id-size=8
} >c
fixture subtag-unknown --id-size=8 >d
quiet hprof-convert --salvage d want
grep -o 'first at offset .*' .err
salvaged
same want b
rm b want
# an input without a dump is refused, however often it contains a header
for ((i = 0; i < 20000; i++)); do
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\0\0.'
done >c
salvaged
rm c c.gz d a
left_over
no_temp
