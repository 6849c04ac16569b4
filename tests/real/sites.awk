# sites.awk - the last ALLOC SITES record of an agent's dump, decoded anew
#
#   od -An -v -tu1 -w1 DUMP | awk -f sites.awk
#
# Shares no code with the library. Prints a line for every class and stack:
# class, frames (innermost first, joined by ";"), live objects, live bytes.
# Reads identifiers of any width and serials as decimal numbers; wants class
# names as the agent writes them, with dots or slashes, or as descriptors.
{ byte[NR - 1] = $1 + 0 }

# The big-endian number of @n bytes at @p.
function number(p, n,    v) {
    for (v = 0; n-- > 0; p++)
        v = v * 256 + byte[p]
    return v
}

# An identifier at @p, as a subscript: awk rounds large numbers there.
function ident(p) {
    return sprintf("%.0f", number(p, id))
}

function text(p, n,    s) {
    for (s = ""; n-- > 0; p++)
        s = s sprintf("%c", byte[p])
    return s
}

# A class's name as in Java source.
function java(name,    ends) {
    gsub("/", ".", name)
    if (substr(name, 1, 1) != "[")
        return name
    for (ends = ""; substr(name, 1, 1) == "["; name = substr(name, 2))
        ends = ends "[]"
    if (substr(name, 1, 1) == "L")
        return substr(name, 2, length(name) - 2) ends
    return primitive[name] ends
}

# "Ag.main(Ag.java:10)" of the frame at @p.
function frame(p,    line, where) {
    where = string[ident(p + 3 * id)]
    line = number(p + 4 * id + 4, 4)
    if (line > 0 && line < 2147483648)
        where = where ":" line
    return class[number(p + 4 * id, 4)] "." string[ident(p + id)] \
        "(" where ")"
}

function stack(p,    i, n, s) {
    n = number(p + 8, 4)
    for (i = 0; i < n; i++)
        s = s (i ? ";" : "") frames[ident(p + 12 + i * id)]
    return s
}

END {
    split("boolean Z byte B char C short S int I long J float F double D", t)
    for (i = 1; i < 16; i += 2)
        primitive[t[i + 1]] = t[i]
    for (at = 0; byte[at]; at++)
        ;
    id = number(at + 1, 4)
    for (at += 13; at < NR; at += 9 + size) {
        tag = byte[at]
        size = number(at + 5, 4)
        body = at + 9
        if (tag == 1)
            string[ident(body)] = text(body + id, size - id)
        else if (tag == 2)
            class[number(body, 4)] = java(string[ident(body + 8 + id)])
        else if (tag == 4)
            frames[ident(body)] = frame(body)
        else if (tag == 5)
            traces[number(body, 4)] = stack(body)
        else if (tag == 6)
            sites = body
    }
    n = number(sites + 30, 4)
    for (p = sites + 34; n-- > 0; p += 25) {
        key = class[number(p + 1, 4)] "\t" traces[number(p + 5, 4)]
        bytes[key] += number(p + 9, 4)
        count[key] += number(p + 13, 4)
    }
    for (key in count)
        print key "\t" count[key] "\t" bytes[key]
}
