# Texts of some megabytes that earlier versions needed quadratic time for:
# fields of one name in an object, and orders of a class's fields. Each run gets
# 20 s of CPU time. Quadratic work would take a minute or more, linear work
# takes less than two seconds.
# harness: statuses
case $BUILD in
*/release) ;;
*) skip "only a release build" ;;
esac
limited() {
    (ulimit -t 20; exec "$@" 2>.err </dev/null >.out)
    echo "$? $(tail -n 1 .out)$(grep -m 1 '^hprof-' .err)"
}
# text AWK-PROGRAM: write a prologue, and after it what the program prints
text() {
    printf 'JAVA PROFILE 1.0.1, created Fri Nov 20 22:29:09 2026\n\n--------\n'
    awk "BEGIN { begin = \"HEAP DUMP BEGIN (1 objects, 1 bytes) x\"; $1 }"
}

text 'print begin "\nOBJ 1 (sz=8, trace=0, class=a@1)"
    for (i = 0; i < 2000000; i++)
        print "\ta\t1"
    print "HEAP DUMP END"' >repeated
limited hprof-validate repeated
limited hprof-convert repeated o

# Different orders of fields, and then dumps without an object of that class
text 'srand(1); print begin; fields = 1024
    for (i = 0; i < fields; i++)
        at[i] = i
    for (o = 2; o < 800; o++) {
        printf "OBJ %x (sz=8, trace=0, class=a@1)\n", o
        for (i = fields - 1; i >= 0; i--) {
            k = int(rand() * (i + 1)); f = at[k]; at[k] = at[i]; at[i] = f
            printf "\tf%d\t0\n", f
        }
    }
    class = "CLS 1 (name=a, trace=0)\nHEAP DUMP END"
    for (i = 0; i < 30000; i++)
        print class "\n" begin
    print class' >orders
limited hprof-convert orders o
