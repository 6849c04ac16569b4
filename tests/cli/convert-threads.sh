# --to=threads writes the threads of a dump and their stacks as jstack prints them.
need jq
# every thread with an object, in the order of the dump, with the frames of its stack
worlds | while read -r name size; do
    fixture "$name" --id-size="$size" >dump
    hprof-convert --dump=1 --to=ndjson dump 2>.err >lines || continue
    jq -s -r '(map(select(.record == "STACK_TRACE")) | INDEX(.trace_serial)) as $traces |
        .[] | select(.record == "ROOT_THREAD_OBJECT" and .id != "0x0") |
        "\(.id) \($traces[.trace_serial | tostring].frames | length)"' lines >want
    hprof-convert --dump=1 --to=threads dump 2>.err |
        awk '/^"/ { if (n++) print id, frames; match($0, /tid=0x[0-9a-f]+/)
            id = substr($0, RSTART + 6, RLENGTH - 6); sub(/^0+/, "", id)
            id = "0x" id; frames = 0 }
            /^\tat / { frames++ } END { if (n) print id, frames }' >got
    same_or_say "$name $size" want got
    looked
done
looked_at 21
# the whole text
fixture hotspot >jvm
hprof-convert --to=threads jvm
# Three programs that read thread dumps find every thread, with these expressions
# (jthreadparser in Go, a page in JavaScript, dumpling in Java), here without \w and \s.
cat >first <<'E'
^"(.*)".*prio=([0-9]+) tid=([0-9A-Za-z_]*) nid=([0-9A-Za-z_]*)[[:space:]][0-9A-Za-z_]*
E
cat >second <<'E'
^"([^"]+)" (daemon )?prio=[0-9]+.* tid=(0x[a-f0-9]+)([[:space:]]+[a-zA-Z0-9_]+=0x[a-f0-9]+)*[[:space:]]+([^[]+)(\[|$)
E
cat >third <<'E'
^"(.*)" ([^"]+)$
E
for reader in first second third; do
    hprof-convert --to=threads jvm | grep -c -E -f $reader
done
hprof-convert --to=threads jvm | grep -c '^"'
hprof-convert --to=threads jvm | grep -c -E '^[[:space:]]+(at|- ).*\)$'
hprof-convert --to=threads jvm | grep -c -E '^	at ([^(]+)[.]([^(]+)\(([^)]+)\)'
# the output lists what the dump lacks
fixture art >android
hprof-convert --to=threads android 2>&1 | tail -n 2
# the same for any number of threads, from a pipe, and in a file
for threads in 1 3; do
    hprof-convert --threads=$threads --to=threads jvm >got
    hprof-convert --to=threads jvm >want
    same want got
done
hprof-convert --to=threads - <jvm >got
same want got
hprof-convert --to=threads jvm threads.txt 2>.err
same want threads.txt
# An object that is dumped twice, here the thread, has the fields of its first dump. The
# second dump of it, with zeros in all fields, goes before HEAP DUMP END (9 bytes).
hprof-convert --to=ndjson jvm 2>.err | jq -r 'select(.record == "INSTANCE_DUMP" and
    .class == "java.lang.Thread") | .offset' >at
at=$(cat at)
length=$((0x$(tail -c +$((at + 22)) jvm | head -c 4 | od -An -tx1 | tr -d ' ')))
{
    head -c -9 jvm
    printf '\034\0\0\0\0\0\0\0'
    printf "\\$(printf %o $((25 + length)))"
    tail -c +$((at + 1)) jvm | head -c 25
    head -c $length /dev/zero
    tail -c 9 jvm
} >twice
hprof-convert --to=threads twice 2>.err | grep '^"'
