# The VM's dump with traces: joined, an object says where it comes from.
run_java heap=all,sample=0,file=d.hprof,verbose=n Known
valid d.hprof
hprof-convert --join-traces d.hprof j.hprof 2> stderr
cat stderr
grep -q 'objects of .* got an allocation trace' stderr || fail "$(cat stderr)"
valid j.hprof

# from the objects themselves, and from the records: the same
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

# retained sizes by site: an array of 100 arrays keeps them; each has 25 ints.
# In JDK 25 it is all that keeps its class, too, which has fewer than 200 bytes.
hprof-diff --by=site --sites=objects --retained --format=json j.hprof |
    jq -e '[.rows[] | select(.key == "int[][]" and
        (.frames[0] // "" | startswith("Known.arrays(")))] |
        length == 1 and .[0].count[0] == 1 and
        (.[0].retained_count[0] | . == 101 or . == 102) and
        (.[0].retained_bytes[0] - .[0].bytes[0] - 100 * 120 |
            . == 0 or (. > 0 and . < 200))'

# nothing else changed, and what the array named is not held by it
hprof-diff --exit-code d.hprof j.hprof
held=$(hprof-convert --to=ndjson j.hprof | grep -a '"hprofagent.Alloc' |
    grep -a CLASS_DUMP | jq -r '.statics[] | select(.name == "objects") |
    .value.id')
hprof-convert --to=ndjson j.hprof | grep -a "\"id\":\"$held\"" |
    grep -a OBJECT_ARRAY_DUMP |
    jq -e '(.elements | length) > 1000 and all(.elements[]; . == null)'

# a dump without such a table
hprof-validate -q "$AGENT_TESTS/../../corpus/tiny.hprof"
expect 1 hprof-convert --join-traces "$AGENT_TESTS/../../corpus/tiny.hprof" \
    k2.hprof
[ ! -e k2.hprof ]

# The VM numbers its classes, too, and may have more than 100,000: the sites
# keep their names.
run_java heap=all,sample=4k,file=c.hprof Hostile classes
valid c.hprof
loaded=$(hprof-validate --format=json c.hprof |
    jq '.files[0].records.LOAD_CLASS')
[ "$loaded" -gt 101000 ] || fail "only $loaded classes"
hprof-diff --by=site --measure=allocated --format=json c.hprof |
    jq -e 'any(.rows[]; .key == "java.lang.Class" and .count[0] > 80000)'
