# Texts of some megabytes that once took work for all that came before, at each
# line: fields of one name in an object. Each run gets 20 s of CPU time, where
# that would take a minute or more, and needs less than a second.
# harness: statuses
case $BUILD in
*/release) ;;
*) skip "only a release build" ;;
esac
limited() {
    (ulimit -t 20; exec "$@" 2>.err </dev/null >.out)
    echo "$? $(tail -n 1 .out)$(grep -m 1 '^hprof-' .err)"
}
# text AWK-PROGRAM: a prologue, and behind it what the program prints
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
