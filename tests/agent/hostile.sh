# However the program ends, the VM keeps its exit status and never hangs, and
# the file is whole or absent.

# ends STATUS COLLECTOR WHAT: with every object, and with sampling
ends()
{
    local options odd=()
    # The VM's own dumper forgets objects of a heap that it could not collect,
    # seldom, that its JNI globals name.
    [ "$3" != full ] || odd=(--severity=root-missing=info)
    for options in sample=0 sample=4k,heap=all; do
        rm -f h.hprof
        expect "$1" run_java "$options,file=h.hprof,verbose=n" \
            -XX:+UnlockExperimentalVMOptions "-XX:+Use$2GC" Hostile "$3"
        absent_or_valid h.hprof "${odd[@]}"
        [ -e h.hprof ] || fail "no file: $2, $3"
        counted=$((counted + 1))
    done
}

counted=0
for collector in Serial Parallel G1 Z Shenandoah; do
    "$JAVA" "-XX:+Use${collector}GC" -version > /dev/null 2>&1 || {
        echo "$collector: not in this VM"
        continue
    }
    ends 0 $collector return
    ends 7 $collector exit
    ends 9 $collector halt
    ends 1 $collector full
done
ends 1 Serial throw
ends 0 Serial threads
ends 5 Serial deep
ends 0 Serial unload
[ "$counted" -ge 32 ] || fail "only $counted runs"

# what a class that was unloaded allocated is still told, under one name
run_java sample=0,file=u.hprof Hostile unload
valid u.hprof
has_site u.hprof allocated 'int[]' 'Unloaded.<init>' 200 6400

# The VM's own checker of native code has nothing to say of the agent's calls
# (that the list of 1,000 threads is more than the 32 references which it takes
# for many is no fault of theirs).
run_java heap=all,cpu=samples,monitor=y,thread=y,file=j.hprof -Xcheck:jni \
    Hostile threads > checked.txt 2>&1
valid j.hprof
grep -q 'hprof-agent: wrote' checked.txt || fail "no report: $(cat checked.txt)"
if grep -A8 '^\(WARNING in native\|FATAL\)' checked.txt; then
    fail "the VM warns of the agent's calls"
fi
