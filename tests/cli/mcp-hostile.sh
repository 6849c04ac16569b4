# hprof-mcp with a hostile client, and with names in a dump that look like
# commands.
need jq
mkdir root
fixture hotspot >root/a.hprof
call() {
    printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":%s}\n' "$1" "$2"
}
code hprof-mcp --help
sed -n 1p .out
code hprof-mcp --root=nowhere
code hprof-mcp --nonsense
code hprof-mcp argument
# messages that are invalid
{
    printf '\n\n{}\n[]\n[{"jsonrpc":"2.0","id":1,"method":"ping"}]\nnull\n"a"\n{\n'
    printf '{"jsonrpc":"1.0","id":1,"method":"ping"}\n'
    printf '{"jsonrpc":"2.0","id":{},"method":"ping"}\n'
    printf '{"jsonrpc":"2.0","id":1,"method":7}\n'
    printf '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}\n'
    printf '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}\n'
    printf '{"jsonrpc":"2.0","id":1,"method":"no/such"}\n'
    printf '{"jsonrpc":"2.0","method":"notifications/cancelled"}\n'
    printf '{"jsonrpc":"2.0","id":9,"result":{}}\n'
    printf '\xff\xfe\0\n'
    call 2 '{}'
    call 3 '{"name":"validate","arguments":[]}'
    call 4 '{"name":"validate","arguments":{"file":"a\u0000b"}}'
    printf '{"jsonrpc":"2.0","id":"last","method":"ping"}'
} >messages
hprof-mcp --root=root <messages | jq -c '[.id, .error.code, .error.message]'
# a deep message, and one of 300 MB
{
    head -c 500000 /dev/zero | tr '\0' '['
    echo
    head -c 300000000 /dev/zero | tr '\0' ' '
    printf '\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
} | peak 50 hprof-mcp --root=root
jq -c . .out
# a client that does not read the answer, and a client that has ended
for i in $(seq 200); do printf '{"jsonrpc":"2.0","id":%s,"method":"tools/list"}\n' "$i"; done >many
hprof-mcp --root=root <many | head -c 100 | wc -c
(hprof-mcp --root=root <many; echo "status $?" >status) | command head -c 1 >first
cat status
# names of a dump are data: they stay inside quoted texts, on one line
fixture hostile-names >root/names.hprof
call 1 '{"name":"compare","arguments":{"file":"names.hprof","limit":500}}' |
    hprof-mcp --root=root >answer
wc -l <answer
jq -r '.result.content[0].text' answer | jq -c '.result.rows | length > 5'
# names cannot be used to add options to a command line
call 1 '{"name":"why","arguments":{"file":"a.hprof","what":"x --output=/tmp/x"}}' |
    hprof-mcp --root=root | jq -c '.result.structuredContent.command'
fixture hotspot >root/--version
call 1 '{"name":"validate","arguments":{"file":"--version"}}' |
    hprof-mcp --root=root |
    jq -c '.result.structuredContent | [.command, .result.files[0].verdict]'
# contents only with --show-values
fixture strings >root/strings.hprof
for values in "" --show-values; do
    call 1 '{"name":"waste","arguments":{"file":"strings.hprof"}}' |
        hprof-mcp --root=root $values |
        jq -c '[.result.structuredContent | .. | .example? | values] | length > 0'
done
