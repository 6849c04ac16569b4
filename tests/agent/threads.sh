# Each thread has exactly one start and one end, even if a CPU sample or a wait
# for a monitor happens while the thread ends.
run_java cpu=samples,interval=1,monitor=y,format=a,file=t.txt \
    Hostile churn java.lang.Object 4000 > out
valid t.txt
sed -n 's/^THREAD START .*id = \([0-9]*\), name="Thread-.*/\1/p' t.txt |
    sort > started
sed -n 's/^THREAD END (id = \([0-9]*\)).*/\1/p' t.txt | sort > ended
wc -l started ended
[ "$(wc -l < started)" -gt 500 ] || fail "few threads"
[ -z "$(uniq -d started)" ] || fail "started twice: $(uniq -d started | head -5)"
[ -z "$(uniq -d ended)" ] || fail "ended twice: $(uniq -d ended | head -5)"
comm -23 started ended > open
[ ! -s open ] || fail "$(wc -l < open) threads without an end"
# each name Thread-N belongs to only one thread
grep -o '^THREAD START .*name="Thread-[0-9]*"' t.txt |
    sed 's/.*name=//' | sort | uniq -d > twice
[ ! -s twice ] || fail "$(wc -l < twice) threads with two starts"

# Each start has the name of the thread. The thread DestroyJavaVM allocates
# objects before it has a name.
run_java sample=0,thread=y,format=a,file=n.txt Known
grep '^THREAD START .*name="DestroyJavaVM", group="main"' n.txt
