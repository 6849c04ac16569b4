# only= restricts allocation sites to those that belong to the program: the
# object's class matches, or the class of a method in the stack trace does.
run_java sample=0,file=all.hprof Known
run_java sample=0,only=Known*,file=only.hprof Known
valid only.hprof
has_site only.hprof live 'Known$Order' Known.keep 1000 32000
has_site only.hprof live 'int[]' Known.arrays 100 12000
bytes()
{
    hprof-diff --by=site --measure=allocated --all --format=json "$1" |
        jq "[.rows[] | select($2) | .bytes[0]] | add // 0"
}
own='.key + " " + (.frames // [] | join(" ")) | test("(^| )Known")'
[ "$(bytes only.hprof "$own | not")" = 0 ] || fail "sites of others"
diff <(bytes all.hprof "$own") <(bytes only.hprof true)
[ "$(bytes all.hprof "$own | not")" -gt 10000 ] || fail "no sites of others"

# More frames give more sites. Also test several patterns, sampling, and counted
# calls.
run_java sample=0,only=None:Known*,depth=32,file=deep.hprof Known
[ "$(bytes deep.hprof true)" -gt "$(bytes only.hprof true)" ] || fail depth=32
[ "$(bytes deep.hprof "$own | not")" = 0 ] || fail "depth=32: sites of others"
run_java sample=64,only=None,file=none.hprof Known
[ "$(bytes none.hprof true)" = 0 ] || fail "only=None has sites"
run_java cpu=times,heap=sites,sample=0,only=Known*,file=both.hprof Known
diff <(bytes only.hprof true) <(bytes both.hprof true)
hprof-diff --by=cpu --all --format=json both.hprof |
    jq -e 'any(.rows[]; .key | test("Known.keep"))' || fail "no calls"

# an object of a matching class that a method of another class makes
run_java sample=0,only='Folded?Made',depth=1,file=made.hprof Folded
[ "$(bytes made.hprof '.key == "Folded$Made"')" = 16000 ] || fail Folded.Made
