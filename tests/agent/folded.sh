# Allocations in native methods and method handles of the JDK belong to the
# method that called them, whether the JIT compiler is on or not; the stack has
# as many frames as depth= asks for.
for mode in -Xint -Xcomp; do
    JAVA_TOOL_OPTIONS=$mode run_java sample=0,depth=2,file=f.hprof Folded
    valid f.hprof
    has_site f.hprof live 'long[]' Folded.clones 1000 40000
    has_site f.hprof live 'Folded$Made' Folded.handles 1000 16000
    hprof-diff --by=site --all --format=json f.hprof | jq -e '
        [.rows[] | select(.key == "int[]" and .count[0] == 1000) | .frames] |
        length == 1 and (.[0][0] | test("Array.newInstance")) and
        (.[0][1] | test("^Folded.arrays"))' || fail "$mode: Array.newInstance"
done
