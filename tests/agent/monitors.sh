# MONITOR DUMP shows what the threads do at the time of the report, and for
# which monitors they wait. The binary file contains the same lines.
for format in a b; do
    run_java "monitor=y,format=$format,file=$format" Hostile monitors
    valid $format
    hprof-diff --by=monitor $format > /dev/null
done
hprof-convert --to=text b c
for file in a c; do
    sed -n '/^MONITOR DUMP BEGIN/,/^MONITOR DUMP END/p' $file > dump
    cat dump
    grep -q '^MONITOR DUMP END$' dump
    [ "$(grep -cE '^    THREAD 2[0-9]{5}, trace 3[0-9]{5}, status: MW$' \
        dump)" -eq 2 ]
    # the file has the stack traces of these threads
    for trace in $(sed -n 's/^    THREAD .* trace \(3[0-9]*\), .*/\1/p' dump); do
        grep -q "^TRACE $trace:" $file
    done
    grep -A3 '^    MONITOR Ljava/util/ArrayList;$' dump > entered
    grep -qE $'^\towner: thread 2[0-9]{5}, entry count: 2$' entered
    grep -qE $'^\twaiting to enter:( thread 2[0-9]{5},){1} thread 2[0-9]{5}$' \
        entered
    grep -qE $'^\twaiting to be notified:$' entered
    # from JDK 23 on, the VM does not list the threads that wait to be notified
    [ "$JAVA_MAJOR" -lt 23 ] || continue
    grep -A2 '^    MONITOR \[I unowned$' dump > notified
    grep -qE $'^\twaiting to enter:$' notified
    grep -qE $'^\twaiting to be notified:( thread 2[0-9]{5},){2} thread 2[0-9]{5}$' \
        notified
done
