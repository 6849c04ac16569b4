# The objects that virtual threads allocate are counted.
if [ "$JAVA_MAJOR" -lt 21 ]; then
    echo "no virtual threads before JDK 21"
    exit 77
fi
run_java sample=0,file=v.hprof Hostile virtual
valid v.hprof
has_site v.hprof allocated 'long[]' Hostile.onVirtual 5000 240000
run_java cpu=samples,monitor=y,heap=all,sample=4k,file=w.hprof Hostile virtual
valid w.hprof
