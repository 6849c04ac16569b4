# However the program ends, the VM keeps its exit status and never hangs. The
# file is complete or does not exist.

# ends STATUS COLLECTOR WHAT: run Hostile WHAT with this garbage collector,
# first counting every object, then with sampling
ends()
{
    local options odd=()
    # The VM cannot collect the garbage of a full heap. Its own dump of such a
    # heap rarely lacks objects to which JNI global references refer.
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

# objects that were allocated by a class that is unloaded are still reported, in
# a single row
run_java sample=0,file=u.hprof Hostile unload
valid u.hprof
has_site u.hprof allocated 'int[]' 'Unloaded.<init>' 200 6400

# The VM's own check of native code must not report the agent's calls. It may
# warn of more than 32 local references, because the list of 1,000 threads needs
# so many.
run_java heap=all,cpu=samples,monitor=y,thread=y,file=j.hprof -Xcheck:jni \
    Hostile threads > checked.txt 2>&1
valid j.hprof
grep -q 'hprof-agent: wrote' checked.txt || fail "no report: $(cat checked.txt)"
if grep -A8 '^\(WARNING in native\|FATAL\)' checked.txt; then
    fail "the VM warns of the agent's calls"
fi
