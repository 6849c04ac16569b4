# Other programs than ours find the planted secrets of each kind in each
# representation, and none of them after --strip-matching: strings, which reads
# Latin-1 and both byte orders of UTF-16, and grep -a. char[] has the byte order
# of utf-16be.
need strings
planted --texts >texts

# kinds FILE: print how many kinds of secrets each program finds
kinds() {
    local e
    for e in s l b; do
        strings -a -n 6 -e $e "$1" | grep -o -F -f texts | sort -u | wc -l
    done
    grep -a -o -F -f texts "$1" | sort -u | wc -l
    # UTF-16 by grep: a zero byte before or after each character
    while IFS= read -r text; do
        wide=$(printf %s "$text" | sed 's/[^A-Za-z0-9]/\\&/g; s/\\\?./&\\x00/g')
        LC_ALL=C grep -a -c -P "$wide" "$1" | sed 's/^[1-9].*/found/; s/^0/gone/'
    done <texts | sort | uniq -c | awk '{ printf "%s %s ", $2, $1 }'
}
echo "kinds: $(wc -l <texts)"
for size in 4 8; do
    planted $size >a
    hprof-convert --force --strip-matching=secrets,all a b 2>.err
    [ "$(wc -c <b)" = "$(wc -c <a)" ] || problem "the output has another length"
    for f in a b; do
        # shellcheck disable=SC2046 # words
        printf "$f: strings %s, UTF-16 LE %s, BE %s; grep -a %s, UTF-16 %s %s %s %s\n" \
            $(kinds $f) | sed 's/ *$//'
    done
    # secrets that only the name of the field or key shows end with Zq1
    planted $size named >a
    hprof-convert --force --strip-matching=secrets a b 2>.err
    [ "$(wc -c <b)" = "$(wc -c <a)" ] || problem "the output has another length"
    for f in a b; do
        printf '%s: named: strings %s, UTF-16 LE %s, BE %s; grep -a %s\n' $f \
            "$(strings -a -e s $f | grep -c Zq1)" \
            "$(strings -a -e l $f | grep -c Zq1)" \
            "$(strings -a -e b $f | grep -c Zq1)" \
            "$(grep -a -o Zq1 $f | wc -l)"
    done
done
