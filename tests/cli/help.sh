# --help and --version write to standard output, with exit status 0 and nothing
# on standard error.
for p in validate diff convert; do
    for option in --help --help=all --version; do
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

    # --help fits on one screen and shows four examples
    hprof-$p --help >brief
    [ "$(wc -l <brief)" -le 40 ] || echo "$(wc -l <brief) lines"
    awk 'length > 79' brief
    grep -c "^    hprof-$p " brief

    # --help=all has each option once, below a heading; --help has some of them
    hprof-$p --help=all >all
    awk 'length > 79' all
    hprof-$p --list-options | cut -f 1 | sort >options
    names() { sed -nE 's/^  (-.,|   ) (--[a-z-]+).*/\2/p' "$1" | sort; }
    names all | diff options -
    names brief | comm -23 - options
    looked
done
looked_at 3
