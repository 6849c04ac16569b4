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
left_over a dir
