# A strip lists the kinds of information that are left in the dump.
for name in hotspot art agent hotspot7 reserved-nonzero; do
    fixture $name >a
    hprof-convert --shape-only --force a b 2>&1 | sed -n "s/^.*: kept:/$name: kept:/p"
done
hprof-convert --strip-arrays --keep-first=1 --keep='java.lang.Thread#name' a c 2>&1 |
    sed -n "s/^.*: kept:/with patterns: kept:/p"
# A dump with time 0.
fixture hotspot >a
{
    head -c 23 a
    head -c 8 /dev/zero
    tail -c +32 a
} >b
hprof-convert --strip-arrays b d 2>&1 | sed -n "s/^.*: kept:/no time: kept:/p"
# An unknown record without bytes has no payload. Other unknown records are
# refused.
for length in 0 1; do
    {
        head -c 31 a
        printf '\167\0\0\0\0\0\0\0\'$length
        head -c $length a
        tail -c +32 a
    } >u
    hprof-convert --shape-only --force u b 2>&1 | sed -n 's/^.*: \(kept:\|offset\)/\1/p'
    hprof-validate u >.out
    echo $?
done
