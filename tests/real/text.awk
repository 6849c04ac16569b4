# text.awk - an independent reader of the agent's text: a row for each thread,
# trace, root, object, array, class, site and sample
#
# Columns are joined by tabs, what belongs to a row by commas. Nothing is
# shared with common/text.
function hex(s) { return "0x" s }
function between(s, a, b,    i, j) { # what stands between a and the next b
    i = index(s, a)
    if (!i) return ""
    s = substr(s, i + length(a))
    j = index(s, b)
    return j ? substr(s, 1, j - 1) : s
}
function flush_row(    i) {
    if (row != "") {
        for (i = 1; i <= fields; i++) add(sorted[i])
        fields = 0
        if (parts != "") row = row "\t" parts
        print row
    }
    row = parts = ""
}
function add(text) { parts = parts (parts == "" ? "" : ",") text }
# Fields are sorted: JSON has its own order.
function field(text,    i) {
    for (i = fields++; i > 0 && sorted[i] > text; i--)
        sorted[i + 1] = sorted[i]
    sorted[i + 1] = text
}
!started { if ($0 == "--------") started = 1; next }
/^\t/ && kind == "trace" {
    line = substr($0, 2)
    if (line != "<empty>") add(line)
    next
}
/^\t/ && kind == "obj" {
    n = split(substr($0, 2), f, "\t")
    field(f[1] "=" hex(f[n]))
    next
}
/^\t/ && kind == "arr" {
    n = split(substr($0, 2), f, "\t")
    add(substr(f[1], 2, length(f[1]) - 2) "=" hex(f[n]))
    next
}
/^\t/ && kind == "cls" {
    n = split(substr($0, 2), f, "\t")
    sub(/^constant pool entry /, "#", f[1])
    add(f[1] "=" hex(f[n]))
    next
}
{ flush_row(); kind = "" }
/^THREAD START/ {
    print "thread\t" between($0, "id = ", ",") "\t" \
        hex(between($0, "(obj=", ",")) "\t" between($0, "name=\"", "\", group") \
        "\t" between($0, "group=\"", "\")")
}
/^THREAD END/ { print "end\t" between($0, "id = ", ")") }
/^TRACE/ { kind = "trace"; row = "trace\t" ($2 + 0) }
/^ROOT/ {
    name = between($0, "kind=<", ">")
    a = between($0, "thread=", ",")
    if (a == "") a = between($0, ", id=", ",")
    sub(/\)$/, "", a)
    b = between($0, "frame=", ")")
    if (name == "thread") b = between($0, "trace=", ")")
    if (name == "JNI global ref") a = hex(a)
    print "root\t" name "\t" hex($2) "\t" a "\t" b
}
/^OBJ/ {
    kind = "obj"
    name = $0
    sub(/.*class=/, "", name)
    sub(/@[0-9a-f]+\)$/, "", name)
    row = "obj\t" hex($2) "\t" between($0, "trace=", ",") "\t" name
}
/^ARR/ {
    kind = "arr"
    name = $0
    sub(/.*elem type=/, "", name)
    sub(/(@[0-9a-f]+)?\)$/, "", name)
    row = "arr\t" hex($2) "\t" between($0, "trace=", ",") "\t" name "\t" \
        between($0, "nelems=", ",")
}
/^CLS/ {
    kind = "cls"
    name = $0
    sub(/.*name=/, "", name)
    trace = name
    sub(/, trace=.*/, "", name)
    sub(/.*, trace=/, "", trace)
    row = "cls\t" hex($2) "\t" (trace + 0) "\t" name
}
/^SITES BEGIN/ { table = "site" }
/^CPU SAMPLES BEGIN/ { table = "sample" }
/ END$/ { table = "" }
table == "site" && $1 ~ /^[0-9]+$/ {
    print "site\t" $8 "\t" $9 "\t" $4 "\t" $5 "\t" $6 "\t" $7
}
table == "sample" && $1 ~ /^[0-9]+$/ { print "sample\t" $5 "\t" $4 }
END { flush_row() }
