# Who may not read the input may not read what is made of it.
fixture tiny >a
umask 022
for mode in 600 640 644 666 444; do
    chmod $mode a
    for options in "" --strip-arrays --to=text --to=pack --salvage \
        --compress=gzip; do
        # shellcheck disable=SC2086
        hprof-convert -q --force $options a b
        echo "$mode: $(stat -c %a b)"
    done | sort -u
done
chmod 600 a
hprof-convert -q --force - b <a
stat -c %a b
cat a | hprof-convert -q --force - b
stat -c %a b
# a folder that may be written, but not listed, takes outputs of all kinds
mkdir drop
chmod 300 drop
plain=(setpriv --inh-caps=-all --bounding-set=-all) # root, too, obeys modes
[ "$(id -u)" = 0 ] && "${plain[@]}" true 2>.err || plain=()
for options in --to=text --to=tables; do
    "${plain[@]}" hprof-convert -q $options a "drop/$options" || echo $?
done
chmod 700 drop
find drop | LC_ALL=C sort
umask 077
hprof-convert -q --force - b <a
stat -c %a b
