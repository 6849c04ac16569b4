# Generated class names that change from run to run are in one row. Ordinary
# class names are not changed: those of the corpus, and those in a JVM's list
# for its archive (lib/classlist).
# needs: text
need jq

# dump_of: write a text dump with an object of each class whose name is in
# standard input
dump_of() {
    printf 'JAVA PROFILE 1.0.1, created Fri Nov 20 22:20:37 2026\n\n\n--------\n\n'
    printf 'HEAP DUMP BEGIN (1 objects, 16 bytes) Fri Nov 20 22:20:37 2026\n'
    awk '{ printf "OBJ %x (sz=16, trace=1, class=%s@%x)\n",
            1048576 + NR * 32, $0, 16777216 + NR * 32
        cls[NR] = $0 }
        END { for (i = 1; i <= NR; i++)
            printf "CLS %x (name=%s, trace=1)\n", 16777216 + i * 32, cls[i] }'
    echo "HEAP DUMP END"
}

# keys OPTION... FILE: print the row keys
keys() {
    hprof-diff --format=json "$@" | jq -r '.rows[].key' | sort
}

# The names in one run of a program: $1 is a decimal number, $2 a random suffix,
# $3 a hash.
names_of_run() {
    cat <<NAMES
a.Order\$\$EnhancerByCGLIB\$\$$3
a.Order\$\$FastClassByCGLIB\$\$${3}_2
a.Order\$\$EnhancerBySpringCGLIB\$\$$3
a.Order\$\$FastClassBySpringCGLIB\$\$$3
a.Order\$\$SpringCGLIB\$\$$1
a.Order\$\$SpringCGLIB\$\$FastClass\$\$$1
a.Order\$HibernateProxy\$$2
a.Order_\$\$_jvst${3}_$1
a.Order\$ByteBuddy\$$2
a.Order\$MockitoMock\$$1
a.Order\$MockitoMock\$$1\$auxiliary\$$2
a.Order\$\$EnhancerByGuice\$\$$3\$\$FastClassByGuice\$\$$3
a.Order_\$\$_javassist_$1
Script$1
Script$1\$_run_closure$1
user\$fn__$1
user\$eval$1\$reify__$1
a.T\$\$anonfun\$main\$$1
a.T\$\$Lambda\$$1
a.T\$\$Lambda\$$1.90$1
a.MainKt\$sam\$java_lang_Runnable\$$1
org.jruby.gen.InterfaceImpl$1
java.lang.invoke.LambdaForm\$MH.1234$1
com.sun.proxy.\$Proxy$1
sun.reflect.GeneratedMethodAccessor$1
NAMES
}
names_of_run 1234 Ab3dE5gH 1a2b3c4d >names1
names_of_run 98765 Zx9wV7uT ffee0099 >names2
for n in 1 2; do
    dump_of <names$n >run$n
done
for by in class package holder; do
    code hprof-diff --exit-code --by=$by \
        --fail-if='* growth-count>0' run1 run2
done
hprof-diff --exit-code --normalize=off --format=csv run1 run2 >.out
echo "apart: $?"
keys run1

# print the other names that normalisation changes
touched() {
    keys --normalize=off "$1" >off
    keys "$1" >on
    [ -s off ] || problem "no names: $2"
    comm -23 off on | grep -vE '/0x[0-9a-f]{8,}(\[\])*$|\$\$Lambda|Species_|(^|\.)\$Proxy[0-9]+(\[\])*$|\.Generated[A-Za-z]*Accessor[0-9]'
    looked
}
corpus=$(cd "$(dirname "$2")/../.." && pwd)/corpus
for file in "$corpus"/{tiny.hprof,oom.hprof.zst,shapes.hprof.gz,shop-*.zst}; do
    touched "$file" "$file"
done
looked_at 5
for list in "${JAVA_HOME:-/usr}"/lib/classlist /usr/lib/jvm/*/lib/classlist; do
    [ -f "$list" ] || continue
    awk '/^[a-z]/ && !/[@#]/ { gsub("/", "."); print $1 }' "$list" |
        sort -u | dump_of >listed
    touched listed "$list"
done
