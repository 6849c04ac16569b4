# The graph of the agent's text: retained sizes, owners and suspects equal those
# of the binary dump from which the text was made. A weak reference is
# recognised although the text does not say which class declares its field.
# needs: text
need jq
for name in before after; do
    fixture leak-$name >$name
    quiet hprof-convert --to=text $name $name.txt
done
# The text has no static fields of primitive types, so classes are smaller. It
# has no contents of Strings, so a thread has a name only if its start is in the
# text.
rows() {
    hprof-diff "$@" --all --format=json before after | jq -c '.rows[] |
        select(.key | contains("Class") or startswith("class ") | not) |
        [(.key | sub("^thread \"main\""; "thread")), .count, .bytes,
         .retained_count, .retained_bytes]' | sort >want
    hprof-diff "$@" --all --format=json before.txt after.txt |
        jq -c '.rows[] |
        select(.key | contains("Class") or startswith("class ") | not) |
        [.key, .count, .bytes, .retained_count, .retained_bytes]' | sort >got
    same_or_say "rows $*" want got
    echo "$(wc -l <got) rows $*"
}
rows --retained
rows --by=dominator
# The text has no primitive fields either, which examples of elements show, and
# which the percentages of the heap include.
suspects() {
    jq '.suspects | map(del(.examples, .percent))'
}
for way in 'before after' after; do
    # shellcheck disable=SC2086 # names are words
    hprof-diff --retained --format=json $way | suspects >want
    # shellcheck disable=SC2046,SC2086
    hprof-diff --retained --format=json $(printf '%s.txt ' $way) |
        suspects >got
    same_or_say "suspects, $way" want got
    jq -c '.[] | [.path, .class, .count, .element, .elements]' got
done
cat after.txt | hprof-diff --retained --format=json - | suspects |
    same_or_say 'suspects, a pipe' got -

# Reference has no object of its own; a referent field of another class is
# strong.
cat >weak <<'TEXT'
JAVA PROFILE 1.0.1, created Fri Nov 20 22:29:09 2026

--------

HEAP DUMP BEGIN (7 objects, 200 bytes) Fri Nov 20 22:29:09 2026
ROOT 102 (kind=<system class>, name=a.Main)
OBJ 201 (sz=24, trace=0, class=a.MyReference@106)
	referent	202
	extra		203
OBJ 202 (sz=16, trace=0, class=a.Cache@107)
	data		204
OBJ 203 (sz=16, trace=0, class=java.lang.Object@101)
ARR 204 (sz=1000, trace=0, nelems=1000, elem type=byte[])
OBJ 205 (sz=16, trace=0, class=a.Holder@108)
	referent	203
CLS 101 (name=java.lang.Object, trace=0)
CLS 102 (name=a.Main, trace=0)
	super		101
	static REFERENCE	201
	static HOLDER	205
CLS 103 (name=java.lang.ref.Reference, trace=0)
	super		101
CLS 105 (name=java.lang.ref.WeakReference, trace=0)
	super		103
CLS 106 (name=a.MyReference, trace=0)
	super		105
CLS 107 (name=a.Cache, trace=0)
	super		101
CLS 108 (name=a.Holder, trace=0)
	super		101
HEAP DUMP END
TEXT
for what in soft all; do
    hprof-diff --retained --reachability=$what --format=json weak |
        jq -c '.reachability, (.dumps[] | [.reachable, .weak, .unreachable]),
            (.rows[] | [.key, .retained_count[0]])'
done
quiet hprof-convert weak weak.hprof
hprof-convert --to=ndjson weak.hprof | jq -c 'select(.record == "CLASS_DUMP") |
    select(.fields != []) | [.name, [.fields[].name]]'
