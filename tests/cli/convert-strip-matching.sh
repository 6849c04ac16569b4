# --strip-matching=secrets sets exactly the texts with secrets to zero. planted
# writes secrets of each kind in each representation. The search here does not use
# the code of the programs: without its zero bytes, UTF-16 is Latin-1.
planted --texts >texts
left() {
    tr -d '\0' <"$1" | grep -a -o -F -f texts | sort -u | wc -l
}
for size in 4 8; do
    planted $size >a
    echo "planted: $(wc -l <texts) kinds, found in the dump: $(left a)"
    code hprof-validate --secrets=all a
    quiet hprof-convert --strip-matching=secrets,all a b
    echo "left: $(left b)"
    code hprof-validate --strict --secrets=all b
    quiet hprof-diff --exit-code a b >.out
    hprof-convert --strip-matching=secrets,all a c 2>&1 | grep stripped
    same b c
    hprof-convert --strip-matching=secrets,all --threads=1 a 2>.err | cat >d
    same b d
    hprof-convert --strip-matching=all,secrets a x 2>.err
    echo "$?"
    hprof-convert --strip-matching=secrets,all - <a 2>.err >e
    same b e
    hprof-convert --strip-matching=secrets,all a c.gz 2>.err
    gzip -dc c.gz >f
    same b f
    # the categories that are off by default stay
    hprof-convert --strip-matching=secrets a g 2>.err
    code hprof-validate --secrets g
    for category in sessions email cards; do
        code hprof-validate --secrets=$category g
    done
    rm -f b c c.gz g
done
# together with the other options; a secret is removed even if --keep selects it
hprof-convert --strip-matching=secrets,all --strip-fields --strip-strings \
    --keep-first=1000000 --strip-arrays --keep='java.lang.String#value' a b 2>.err
echo "left: $(left b)"
code hprof-validate --secrets=all b
hprof-convert --strip-matching=secrets,all --to=ndjson a 2>.err | left /dev/stdin
for list in email secrets,mail secrets, ''; do
    code hprof-convert --strip-matching=$list a z
done
# the search sees the first 64 MB of a STRING record: a longer one is refused
fixture hotspot >a
for n in 3 4; do
    {
        head -c 31 a
        printf "\\1\\0\\0\\0\\0\\$n\\0\\0\\10\\0\\0\\0\\0\\0\\0\\0\\1"
        head -c $((n << 24)) /dev/zero | tr '\0' x
        tail -c +32 a
    } >b
    code hprof-convert --force --strip-matching=secrets b c
    tail -n 1 .err | cut -c 1-80
done
