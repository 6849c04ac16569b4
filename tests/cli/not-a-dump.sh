# What is taken for a dump is told by name, by all three programs alike.
try() { # try NAME: the file `a`
    hprof-validate -q --format=json a | jq -r --arg name "$1" '.files[0] |
        "\($name): \(.verdict): \(.rules[0].examples[0].message)"'
    hprof-diff a 2>&1 | sed 's/^/  /'
    hprof-convert a b 2>&1 | sed 's/^/  /'
    [ ! -e b ] || echo "$1: an output is left"
    # and by what reads an input twice, which writes nothing either
    for option in --heaps=app --join-traces --to=text --to=ndjson; do
        [ "$(hprof-convert $option a 2>&1)" = "$(hprof-convert a 2>&1)" ] ||
            echo "$1 $option: something else"
    done
}
fixture hotspot >dump
printf '\0\23portable heap dump\0\0\0' >a && try phd
printf '\177ELF\2\1\1\0\0\0\0\0' >a && try elf
printf 'PK\3\4\24\0\0\0' >a && try zip
printf '\3757zXZ\0\0\4' >a && try xz
printf 'BZh91AY&SY' >a && try bzip2
printf '\4"M\30\100\100' >a && try lz4
printf '7z\274\257\47\34\0\4' >a && try 7z
printf 'dump.hprof\0\0\0\0\0\0\0\0\0' >a && try nothing
printf '<html>404' >a && try html
printf 'JAVA PROFILE 1.0.1, created Fri Nov 20 22:20:37 2026\n\n' >a && try agent
printf 'JAVA PROFILE 1.0.12345678901234567890' >a && try endless
gzip -c dump | gzip | gzip | gzip >a && try 'four gzips'
zstd -qc dump | gzip | gzip | zstd -qc >a && try 'four layers'
: >a && try empty
