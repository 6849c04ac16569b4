# sites_text.awk - the SITES section of the agent's own ASCII output
#
# Prints what sites.awk prints: class, frames (innermost first, joined by
# ";"), live objects, live bytes; sites of equal class and frames are one line.
/^TRACE [0-9]+:/ { trace = $2 + 0; next }
trace && /^\t/ {
    line = substr($0, 2)
    sub(":Unknown line\\)", ")", line)
    if (line != "<empty>")
        stack[trace] = stack[trace] (stack[trace] == "" ? "" : ";") line
    next
}
/^SITES BEGIN/ { inside = 1 }
/^SITES END/ { inside = 0 }
{ trace = 0 }
inside && $1 ~ /^[0-9]+$/ && NF == 9 {
    key = $9 "\t" stack[$8]
    bytes[key] += $4
    count[key] += $5
}
END {
    for (key in count)
        print key "\t" count[key] "\t" bytes[key]
}
