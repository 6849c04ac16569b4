# graph-lines.awk - what the lines of graph-lines.jq say together: the sum of
# each object's own part and its children's, and what each class retains, its
# objects taken one by one
BEGIN { FS = "\t" }
$3 != "-" {
    class[$1] = $2; above[$1] = $4; count[$1] = $5; bytes[$1] = $6
    depth[$1] = $3
    below[$4] += $5
    bytes_below[$4] += $6
    n++
}
END {
    for (id in class) {
        if (count[id] != below[id] + 1 || bytes[id] < bytes_below[id])
            print "retained by " id ": " count[id] ", below " below[id]
        if (above[id] == "-" ? 0 : !(above[id] in class))
            print "dominator of " id ": " above[id]
        if (above[id] != "-" && depth[above[id]] >= depth[id])
            print "depth of " id ": " depth[id]
        for (up = above[id]; up != "-" && class[up] != class[id];)
            up = above[up]
        if (up != "-")
            continue
        objects[class[id]] += count[id]
        size[class[id]] += bytes[id]
    }
    for (name in objects)
        printf "%s\t%d\t%d\n", name, objects[name], size[name]
    if (n != below["-"])
        print "the roots retain " below["-"] " of " n
}
