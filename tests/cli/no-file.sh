# If an input cannot be opened or read, the exit status is 2 and the message has
# its path.
mkdir dir
fixture hotspot >a
for p in validate diff convert; do
    code hprof-$p nosuch
    grep -q "^hprof-$p: nosuch: " .err || cat .err
    code hprof-$p dir
    grep -q "^hprof-$p: dir: " .err || cat .err
done
code hprof-diff a nosuch
code hprof-convert nosuch out
code hprof-validate --format=json nosuch
jq -c '.files[] | [.path, .verdict]' .out
# The sandbox must not hide the reason. Tested with a folder, a folder outside
# the temporary one, and too few descriptors.
for p in validate diff convert; do
    code hprof-$p /usr
    cat .err
done
bash -c 'ulimit -n 4 && exec hprof-validate a' | tail -n 1
# files whose contents are generated during reading have size 0
for p in validate diff convert; do
    code hprof-$p /proc/version
    cat .err
    code hprof-$p /proc/self/mem
    sed 's,: I/O error$,: Input/output error,' .err # as musl says it
done
hprof-validate /proc/version | tail -n +2
hprof-validate --format=json /proc/version | jq '.files[].bytes > 0'
left_over a dir
