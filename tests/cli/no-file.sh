# What cannot be opened or read is exit 2, with the path in the message.
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
# the sandbox does not hide why: a folder, also one that is not the temporary
# one's, and too few descriptors for a rule about the input
for p in validate diff convert; do
    code hprof-$p /usr
    cat .err
done
bash -c 'ulimit -n 4 && exec hprof-validate a' | tail -n 1
# files that are made up as they are read say that they have no byte
for p in validate diff convert; do
    code hprof-$p /proc/version
    cat .err
    code hprof-$p /proc/self/mem
    sed 's,: I/O error$,: Input/output error,' .err # as musl says it
done
hprof-validate /proc/version | tail -n +2
hprof-validate --format=json /proc/version | jq '.files[].bytes > 0'
left_over a dir
