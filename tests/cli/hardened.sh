# The programs are linked as position-independent executables, with read-only
# relocations before main(), a non-executable stack, and protected stacks and
# buffers.
need readelf
case $BUILD in
*/release) ;;
*) skip "only a release build" ;;
esac
for p in hprof-validate hprof-diff hprof-convert; do
    file=$BUILD/$p
    readelf -hW "$file" | grep -q 'Type: *DYN' || echo "$p: not PIE"
    readelf -dW "$file" | grep -q 'FLAGS_1.*NOW.*PIE' ||
        echo "$p: not BIND_NOW, or not PIE"
    readelf -lW "$file" | grep -q 'GNU_RELRO' || echo "$p: no RELRO"
    readelf -lW "$file" | grep 'GNU_STACK' | grep -q 'RW ' ||
        echo "$p: an executable stack"
    readelf -lW "$file" | grep 'LOAD' | grep -q 'RWE' &&
        echo "$p: a segment to write and execute"
    symbols=$(readelf --dyn-syms -W "$file")
    grep -q '__stack_chk_fail' <<<"$symbols" || echo "$p: no stack protector"
    # musl has no fortified functions
    grep -q '__[a-z]*_chk@' <<<"$symbols" || ! grep -q '@GLIBC_' <<<"$symbols" ||
        echo "$p: not fortified"
    readelf -dW "$file" | grep -i "RPATH\|RUNPATH\|TEXTREL" || true
done
