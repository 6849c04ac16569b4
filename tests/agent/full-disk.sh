# No room for the file: the program's own exit status, and no part of a file.
for options in sample=0 sample=0,format=a heap=all,sample=0; do
    (
        ulimit -f 16
        expect 3 run_java "$options,file=f.hprof" -XX:-UsePerfData Known 3
    ) > log 2>&1 || fail "$options: $(cat log)"
    grep -q 'hprof-agent: no report: ' log || fail "$options: $(cat log)"
    [ ! -e f.hprof ] || fail "$options: a file"
    absent_or_valid f.hprof
done

# the old file stays as it was
run_java sample=0,file=f.hprof Known
cp f.hprof g.hprof
(
    ulimit -f 16
    run_java sample=0,depth=8,file=f.hprof -XX:-UsePerfData Known
) 2>&1 | grep 'no report' >/dev/null
cmp f.hprof g.hprof
absent_or_valid f.hprof
