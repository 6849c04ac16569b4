# Names of up to 8,192 bytes are complete; longer ones are truncated and get a
# hash. If the examples of a small dump would need megabytes, further names are
# shortened.
bytes() { # bytes HEX: those bytes
    printf "$(printf %s "$1" | sed 's/../\\x&/g')"
}
text() { # text ID SIZE: a STRING of so many letters
    bytes "0100000000$(printf %08x $(($2 + 4)))$1"
    printf "%$2s" '' | tr ' ' A
}
# dump SIZE FIELDS: a class with FIELDS equal fields whose name has SIZE bytes,
# and with a reserved id
dump() {
    local i
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\1\214\0\0\0\0'
    text $one "$1"
    bytes "0200000000""00000010$one$object$none$one"
    bytes "1c00000000$(printf %08x $((43 + 5 * $2)))"
    bytes "20$object$none$none$none$none$none$one$none$(printf %08x $((4 * $2)))"
    bytes "00000000$(printf %04x "$2")"
    for ((i = 0; i < $2; i++)); do
        bytes "${one}02"
    done
    bytes 2c0000000000000000
}
none=00000000 object=00001000 one=00000001
for size in 201 8192 8193; do
    dump $size 2 >x
    hprof-validate --format=json x | jq -r '.files[0].rules[] | select(.rule ==
        "field-dup" or .rule == "reserved-nonzero") | .rule,
        (.examples[] | (.field, .message) | gsub("(?<a>A+)"; "A*\(.a | length)"))'
done
dump 8192 200 >x
hprof-validate --format=json --max-examples=200 x >json
jq -r '.files[0].rules[] | select(.rule == "reserved-nonzero") |
    .examples[].message | gsub("(?<a>A+)"; "A*\(.a | length)")' json
size=$(wc -c <json)
[ "$size" -lt 2000000 ] || echo "$size bytes of a dump of $(wc -c <x)"
