# Every way to call the programs works with the system calls that the sandbox
# allows. If the kernel lacks a part of the sandbox, the programs say so.
# needs: text
fixture hotspot --id-size=8 >a
fixture tiny --id-size=4 >small
fixture art >art
fixture agent >agent
fixture cut-array >cut
gzip -k a
zstd -q a
hprof-convert --to=text agent lines 2>.err
need refusals without fake-agent
LSAN_OPTIONS=detect_leaks=0
export LSAN_OPTIONS
without both true || skip "no Landlock here, or no filters of system calls"
count=0
refusals hprof-validate a >.out 2>.err
case $? in
97) skip "no ptrace here" ;;
98) problem "not confined" ;;
esac

# allowed WANT CMD...: check that no call is refused, and that the exit status
# is WANT.
allowed() {
    local want=$1 got
    shift
    refusals "$@" >.out 2>.err
    got=$?
    count=$((count + 1))
    [ "$got" -eq "$want" ] || {
        echo "$got, expected $want: $*"
        grep refused: .err | sort -u
    }
}

for format in text json sarif junit github html; do
    allowed 0 hprof-validate --format=$format --output=r.$format a a.gz a.zst
done
allowed 0 hprof-validate --level=graph --threads=4 --progress=always -v a
allowed 0 hprof-validate --level=framing --format=json --force --sync -o r.json a
allowed 1 hprof-validate cut
allowed 2 hprof-validate nosuch
allowed 0 hprof-validate --baseline=r.json --strict a
allowed 0 hprof-validate - <a.gz
allowed 0 hprof-validate - < <(cat a)
allowed 0 hprof-validate --memory=1m - < <(cat a.zst)
allowed 0 hprof-validate --level=graph --memory=16m - < <(cat a)
for by in class package loader heap site; do
    allowed 0 hprof-diff --by=$by art a
done
allowed 0 hprof-diff --by=cpu agent
allowed 0 hprof-diff --by=dominator --threads=3 a art
allowed 0 hprof-diff --by=holder --threads=3 a art
allowed 0 hprof-diff --retained --memory=64m - a <a.gz
for format in table json csv ndjson rows tsv html; do
    allowed 0 hprof-diff --format=$format -o d.$format a.gz - <a
done
allowed 0 hprof-diff --format=folded --by=site --threads=4 agent
allowed 0 hprof-diff --format=json -o saved --force a
allowed 0 hprof-diff --color=always --progress=always saved a.zst
allowed 0 hprof-diff --partial cut
allowed 2 hprof-diff cut
for to in hprof text ndjson pack; do
    for from in a a.gz a.zst; do
        allowed 0 hprof-convert --to=$to --verify $from $from.$to
        allowed 0 hprof-convert --to=$to --sync - <$from
        allowed 0 hprof-convert --to=$to - < <(cat $from)
    done
done
for from in a a.gz a.zst; do
    allowed 0 hprof-convert --to=tables --sync $from tables.$from
    allowed 0 hprof-convert --to=tables $from $from.tar
    rm -r tables.$from
done
allowed 0 hprof-convert a.pack b
allowed 0 hprof-convert --compress=gzip --threads=4 --verify a b.gz
allowed 0 hprof-convert --compress=zstd:19 --threads=4 --sync a b.zst
allowed 0 hprof-convert --to=text --strings a.gz b.txt
allowed 0 hprof-convert --shape-only --keep='java.lang.Thread#name' a -
allowed 0 hprof-convert --strip-arrays --keep-first=2 --force a.zst b
allowed 0 hprof-convert --strip-strings --strip-fields - b --force < <(cat a)
allowed 0 hprof-convert --standard --heaps=app --prune-classes art c
allowed 0 hprof-convert --profile=1.0.1 a d
allowed 0 hprof-convert --salvage --null-dangling cut e
allowed 1 hprof-convert cut f
allowed 2 hprof-convert a b
allowed 0 hprof-convert --raw --compress=zstd cut g.zst
allowed 0 hprof-convert --force a /dev/null
# The agent's text, and data received from an agent.
allowed 0 hprof-validate --level=graph --threads=4 lines
allowed 0 hprof-validate - < <(gzip -c lines)
allowed 0 hprof-diff --by=cpu lines agent
allowed 0 hprof-diff --by=class lines
for to in hprof text ndjson pack; do
    allowed 0 hprof-convert --to=$to --verify lines lines.$to
done
: >.err
refusals hprof-convert --listen=127.0.0.1:0 --send=gc sent 2>.err &
eventually grep -q listening .err
port=$(sed -nE 's/.*listening on 127\.0\.0\.1:([0-9]+) .*/\1/p' .err)
fake-agent "$port" agent --commands=1 >.out
wait $!
echo "listened: $?"
grep refused: .err
same agent sent
# A signal that the program sends to itself.
mkfifo pipe
exec 3<>pipe
refusals hprof-validate pipe >.out 2>.err &
children=/proc/$!/task/$!/children
confined() { grep -q Seccomp:.2 /proc/"$(tr -d ' ' <$children)"/status; }
eventually confined 2>/dev/null
kill -TERM "$(tr -d ' ' <$children)"
wait $!
echo "terminated: $?"
grep refused: .err
exec 3>&-
echo "$count ways"

# lacks PART CMD...: print what -v and JSON say about the missing part.
lacks() {
    local part=$1
    shift
    without "$part" "$@" >.out 2>.err
    echo "without $part: $? $1"
    grep -o '"sandbox".*}' .out | cut -d '}' -f 1
    grep "sandbox does not use" .err
}
for part in landlock seccomp both; do
    lacks $part hprof-validate -v --format=json small
    lacks $part hprof-diff -v --format=json small
    lacks $part hprof-convert -v small part.$part
    cmp small part.$part
done
hprof-validate -v --format=json small 2>&1 | grep -i sandbox
hprof-diff -v --format=ndjson small 2>&1 | grep -i sandbox
hprof-validate -v --format=json --sandbox=off small 2>&1 | grep -i sandbox
true
