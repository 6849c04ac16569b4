# If an input is not a dump, all three programs say what it is and what to do.
# needs: text
try() { # try NAME: the file `a`
    # the message of the first finding, without escapes of quotes and backslashes
    hprof-validate -q --format=json a >.out
    echo "$1: $(verdict .out): $(sed -n '/"message": "/ {
        s/.*"message": "\(.*\)"}.*/\1/; s/\\\(["\\]\)/\1/g; p; q; }' .out)"
    hprof-diff a >.diff 2>&1
    sed 's/^/  /' .diff
    hprof-convert a b 2>&1 | sed 's/^/  /'
    [ ! -e b ] || echo "$1: an output is left"
    # conversions that read an input twice also say so, and write nothing
    hprof-convert a 2>&1 | sed 's/ (--salvage .*//' >.want
    for option in --heaps=app --join-traces --to=ndjson; do
        hprof-convert $option a 2>&1 | sed 's/ (--salvage .*//' >.got
        cmp -s .want .got || echo "$1 $option: something else"
    done
    # a pipe gives the same message
    cat a | hprof-diff - 2>&1 | sed 's/: standard input: /: a: /' >.got
    cmp -s .got .diff || echo "$1: something else from a pipe"
}
fixture hotspot >dump

# recordings and dumps of other tools
printf '\0\22portable heap dump\0\0\0\6' >a && try phd
printf '\0\23portable heap dump\0\0\0\6' >a && try 'phd with a wrong length'
printf 'FLR\0\0\2\0\1\0\0\0\0' >a && try jfr
printf '{"snapshot":{"meta":{"node_fields":["type","name"]}}}' >a && try v8
printf '{ "snapshot" : {\n "meta": {}' >a && try 'v8, cut'
printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0>\0' >a && try core
printf '\177ELF\2\2\1\0\0\0\0\0\0\0\0\0\0\4\0\26' >a && try 'core of s390x'
printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>\0' >a && try library
printf '\177ELF\2\1' >a && try 'elf, cut'
printf 'MDMP\223\247\0\0' >a && try minidump

# archives
printf '\3757zXZ\0\0\4' >a && try xz
printf 'BZh91AY&SY' >a && try bzip2
printf '\4"M\30\100\100' >a && try lz4
printf '7z\274\257\47\34\0\4' >a && try 7z
printf 'Rar!\32\7\1\0' >a && try rar
gzip -c dump | gzip | gzip | gzip >a && try 'four gzips'
zstd -qc dump | gzip | gzip | zstd -qc >a && try 'four layers'

# replies of web servers
printf '{"timestamp":"2026-11-28","status":404,"error":"Not Found"}' >a
try 'actuator'
printf '[{"a":1}]' >a && try 'json array'
printf '{"a":1}' >a && try 'other json'
hprof-diff --format=json dump >a && {
    hprof-validate -q --format=json a | jq -r '.files[0].rules[0].examples[0].message'
    hprof-convert a 2>&1
}
printf '\n<!DOCTYPE HTML>\n<html><title>Sign in</title></html>' >a && try html
printf '<html>404' >a && try 'html without a type'
printf '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code>' >a && try xml
printf 'HTTP/1.1 404 \r\n\r\nnothing' >a && try 'http 404'
{ printf 'HTTP/1.1 200 \r\nContent-Type: x\r\n\r\n' && cat dump; } >a
try http
tail -c +"$(hprof-diff a 2>&1 | grep -o 'tail -c +[0-9]*' | grep -o '[0-9]*$')" a |
    cmp - dump && echo 'the advice is right'
{ printf 'HTTP/1.1 200 \n' && seq -f 'X-%g: a long header' 400 &&
    printf '\n' && cat dump; } >a && try 'long http headers'

# dumps that were changed during a transfer
fixture text-mode >a && try crlf
fixture utf8-lossy >a && try 'utf-8, lossy'
fixture utf8 >a && try utf-8
iconv -f UTF-8 -t ISO-8859-1 a | cmp - dump && echo 'the advice is right'
fixture utf16 >a && try utf-16
{ printf '\376\377' && printf 'text' | sed 's/./\x00&/g'; } >a && try 'utf-16 text'
{ printf '\357\273\277' && cat dump; } >a && try bom
tail -c +4 a | cmp - dump && echo 'the advice is right'
{ printf '\357\273\277' && fixture utf8; } >a && try 'bom and utf-8'
base64 dump >a && try base64
base64 -d a | cmp - dump && echo 'the advice is right'
gzip -c dump | base64 -w 0 >a && try 'base64 of gzip'
# and compressed afterwards
fixture text-mode | gzip >a && try 'crlf, then gzip'

# but a dump may contain a line feed, and a carriage return before it
{
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\0\0\0\0\1\0'
    printf '\1\0\0\0\0\0\0\0\7\0\0\0\1a\r\n'
    head -c 200 /dev/zero | tr '\0' '\377'
} >a
hprof-validate a | tail -n 1
hprof-validate a | grep -c 'copied as text'

printf 'dump.hprof\0\0\0\0\0\0\0\0\0' >a && try nothing
printf 'This is a text.\n' >a && try text
printf 'JAVA PROFILE 1.0.1, created Fri Nov 20 22:20:37 2026\n\n' >a && try agent
printf 'JAVA PROFILE 1.0.12345678901234567890' >a && try endless
: >a && try empty
