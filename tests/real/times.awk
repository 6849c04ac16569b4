# times.awk - CPU TIME and cpu=old of the agent's text, by an independent reader
#
# A line for each stack: its frames, innermost first and joined by ";", then
# milliseconds and calls; rows of equal stacks are one line. CPU TIME has
# percents, which of a total below 10,000 ms name the millisecond. Sources are
# written as hprof-diff has them.
function add(stack, ms, calls) {
    time[stack] += ms
    count[stack] += calls
}
function method(name) { # without its signature
    sub(/\(.*/, "", name)
    return name "(Unknown Source)"
}
NR == 1 && /^count callee caller time$/ { old = 1; next }
old {
    # the names may be "<unknown callee>" and "<unknown caller>"
    calls = $1
    ms = $NF
    sub(/^[0-9]+ /, "")
    sub(/ [0-9]+$/, "")
    stack = ""
    for (n = 0; n < 2 && $0 != ""; n++) {
        if (match($0, /^<unknown calle[er]>/)) {
            length_of = RLENGTH
        } else {
            match($0, /^[^ ]+/)
            length_of = RLENGTH
            stack = stack (stack == "" ? "" : ";") \
                method(substr($0, 1, length_of))
        }
        $0 = substr($0, length_of + 2)
    }
    add(stack, ms, calls)
    next
}
/^TRACE [0-9]+:/ { trace = $2 + 0; next }
trace && /^\t/ {
    line = substr($0, 2)
    sub(/:Unknown line\)$/, ")", line)
    sub(/\(<Unknown Source>\)$/, "(Unknown Source)", line)
    if (line != "<empty>")
        stacks[trace] = stacks[trace] (stacks[trace] == "" ? "" : ";") line
    next
}
{ trace = 0 }
/^CPU TIME \(ms\) BEGIN/ { sub(/\)/, "", $7); total = $7; inside = 1; next }
/^CPU TIME \(ms\) END/ { inside = 0 }
inside && $1 ~ /^[0-9]+$/ {
    sub(/%/, "", $2)
    add(stacks[$5], int($2 * total / 100 + .5), $4)
}
END {
    for (stack in time)
        print stack "\t" time[stack] "\t" count[stack]
}
