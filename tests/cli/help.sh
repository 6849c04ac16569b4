# --help and --version: standard output, exit 0, nothing on standard error.
for p in validate diff convert; do
    for option in --help --version; do
        code hprof-$p $option
        [ -s .out ] || echo "nothing on standard output"
        [ -s .err ] && echo "something on standard error"
        [ $option = --version ] && head -n 1 .out |
            grep -Eo "^hprof-$p [0-9]+\.[0-9]+\.[0-9]+" |
            sed 's/[0-9.]*$/VERSION/'
    done
    hprof-$p --help >/dev/full 2>.err
    echo "$? with a full disk"
    cat .err
done
true
