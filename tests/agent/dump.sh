# The VM's heap dump with the agent's stack traces. After --join-traces, each
# object has the stack trace of its allocation.
run_java heap=all,sample=0,file=d.hprof,verbose=n Known
valid d.hprof
hprof-convert --join-traces d.hprof j.hprof 2> stderr
cat stderr
grep -q 'objects of .* got an allocation trace' stderr || fail "$(cat stderr)"
valid j.hprof

# by_objects objects|records: print the rows by site, computed from the objects
# or from the ALLOC SITES records. Both must be equal.
by_objects()
{
    hprof-diff --by=site --sites="$1" --format=json j.hprof |
        jq -c '[.rows[] | select(.count[0] > 0 and .key != "java.lang.Class") |
            select(.frames[0] // "" | startswith("Known.")) |
            [.key, .frames[0], .count[0], .bytes[0]]] | sort'
}
objects=$(by_objects objects)
records=$(by_objects records)
[ "$objects" = "$records" ] || fail "objects: $objects; records: $records"
echo "$objects" | jq -e 'any(.[]; .[0] == "Known$Order" and .[2] == 1000)'

# Retained sizes by site: an array retains 100 arrays of 25 ints each. In JDK 25
# only this array keeps its class alive, which has fewer than 200 bytes.
hprof-diff --by=site --sites=objects --retained --format=json j.hprof |
    jq -e '[.rows[] | select(.key == "int[][]" and
        (.frames[0] // "" | startswith("Known.arrays(")))] |
        length == 1 and .[0].count[0] == 1 and
        (.[0].retained_count[0] | . == 101 or . == 102) and
        (.[0].retained_bytes[0] - .[0].bytes[0] - 100 * 120 |
            . == 0 or (. > 0 and . < 200))'

# Nothing else has changed. The agent's table does not keep its objects alive:
# all elements of its array are null now.
hprof-diff --exit-code d.hprof j.hprof
held=$(hprof-convert --to=ndjson j.hprof | grep -a '"hprofagent.Alloc' |
    grep -a CLASS_DUMP | jq -r '.statics[] | select(.name == "objects") |
    .value.id')
hprof-convert --to=ndjson j.hprof | grep -a "\"id\":\"$held\"" |
    grep -a OBJECT_ARRAY_DUMP |
    jq -e '(.elements | length) > 1000 and all(.elements[]; . == null)'

# a dump without the agent's table is refused
hprof-validate -q "$AGENT_TESTS/../../corpus/tiny.hprof"
expect 1 hprof-convert --join-traces "$AGENT_TESTS/../../corpus/tiny.hprof" \
    k2.hprof
[ ! -e k2.hprof ]

# The agent's serials of classes begin with 100,000. The VM also gives serials
# to its classes, and may have more than 100,000 classes. Even then, the sites
# keep the names of their classes.
run_java heap=all,sample=4k,file=c.hprof Hostile classes
valid c.hprof
loaded=$(hprof-validate --format=json c.hprof |
    jq '.files[0].records.LOAD_CLASS')
[ "$loaded" -gt 101000 ] || fail "only $loaded classes"
hprof-diff --by=site --measure=allocated --format=json c.hprof |
    jq -e 'any(.rows[]; .key == "java.lang.Class" and .count[0] > 80000)'
