# Usage errors give exit status 2, and a message that begins with the program's
# name.
fixture hotspot >a
for p in validate diff convert; do
    code hprof-$p
    [ $p = convert ] || code hprof-$p --format=nonsense a
    for option in --no-such-option --threads=many --memory=lots \
        --color=purple --progress=maybe --dump=0 --max-size=-1; do
        code hprof-$p $option a
        head -n 1 .err | grep -q "^hprof-$p: " || {
            echo "message:"
            head -n 2 .err
        }
        [ ! -s .out ] || echo "something on standard output"
    done
done
code hprof-convert a b c
code hprof-convert a -o b b
code hprof-convert --compress=lzma a b
code hprof-convert --to=pdf a b
code hprof-convert --strip-arrays=string a b
code hprof-diff --sort=colour a a
code hprof-diff --by=moon a a
code hprof-diff --top=-3 a a
left_over a
