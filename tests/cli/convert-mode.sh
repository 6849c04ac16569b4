# A user who may not read the input may not read the output either.
# needs: pack text
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
umask 077
hprof-convert -q --force - b <a
stat -c %a b
# outputs of all kinds can be written to a folder that cannot be listed
mkdir drop
chmod 300 drop
plain=()
if [ "$(id -u)" = 0 ]; then # whom no mode stops, unless told
    plain=(setpriv --inh-caps=-all --bounding-set=-all)
    "${plain[@]}" true 2>.err || skip "root cannot give up its rights"
fi
for options in --to=text --to=tables; do
    "${plain[@]}" hprof-convert -q $options a "drop/$options" || echo $?
    # such a folder cannot be synced, and a message says so
    "${plain[@]}" hprof-convert -q --sync $options a "drop/sync$options" 2>.err
    echo $?
    cat .err
done
chmod 700 drop
find drop | LC_ALL=C sort
