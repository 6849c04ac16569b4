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
umask 077
hprof-convert -q --force - b <a
stat -c %a b
