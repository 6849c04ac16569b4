# The heap dump of the agent of JDK 1.4. Array lines have the type of the
# elements, "char" and "java.lang.String@6aeef0", and there are no array
# classes.
# needs: text
need jq
cat >t <<'TEXT'
JAVA PROFILE 1.0.1, created Fri Oct 10 10:24:54 2003

Header for -Xhprof ASCII Output

--------

THREAD START (obj=6aeaf0, id = 1, name="main", group="main")
TRACE 1: (thread=1)
	<empty>
HEAP DUMP BEGIN (7 objects, 190 bytes) Fri Oct 10 10:27:05 2003
ROOT 6aee60 (kind=<thread>, id=1, trace=1)
ARR 6aef40 (sz=32, trace=1, nelems=9, elem type=char)
ARR 6aef00 (sz=16, trace=1, nelems=3, elem type=boolean)
OBJ 6aee60 (sz=24, trace=1, class=java.lang.String@6aeef0)
	value		6aef40
ARR 6aef80 (sz=24, trace=1, nelems=3, elem type=java.lang.String@6aeef0)
	[0]		6aee60
	[2]		6aee60
ARR 6aef90 (sz=24, trace=1, nelems=1, elem type=java.lang.String@6aeef0)
	[0]		6aee60
ARR 6aefa0 (sz=24, trace=1, nelems=1, elem type=[I@6aeea0)
ARR 6aefb0 (sz=24, trace=1, nelems=0, elem type=java.lang.Class@6ae820)
CLS 6ae810 (name=java.lang.Object, trace=1)
CLS 6ae820 (name=java.lang.Class, trace=1)
	super		6ae810
CLS 6aeef0 (name=java.lang.String, trace=1)
	super		6ae810
HEAP DUMP END
TEXT
code hprof-validate --strict t
hprof-diff --all --format=csv --normalize=off t | cut -d, -f1,2 | sort
hprof-convert t b 2>.err
code hprof-validate --strict --level=graph b
hprof-convert --to=ndjson b | jq -c 'select(.record == "OBJECT_ARRAY_DUMP") |
    [.id, .class, .elements]'
hprof-convert --to=ndjson b | jq -c 'select(.record == "CLASS_DUMP") |
    [.name, .super]'
# the dump written as text again gives the same dump
hprof-convert --to=text b t2 2>.err
hprof-convert --to=text t2 t3 2>.err
same t2 t3
hprof-diff --all --exit-code --format=csv b t2 >.out
echo "as text: $?"
# from a pipe, in blocks of another size
cat t | hprof-diff --all --format=csv --threads=3 - >one
hprof-diff --all --format=csv t >two
same_or_say threads one two
