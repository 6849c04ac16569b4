# Tables have 80 columns: package names are shortened, class names are not.
# --wide shortens nothing. The heads have the times of the dumps. Two equal
# dumps have no rows.
corpus=$(dirname "$2")/../../corpus
before=$corpus/shop-before.hprof.zst after=$corpus/shop-after.hprof.zst
COLUMNS=80 hprof-diff --all "$before" "$after" >narrow
hprof-diff --all "$before" "$after" >free
COLUMNS=80 hprof-diff --all --wide "$before" "$after" >wide
same free wide
sed '1,4d' narrow | grep -a '^.\{81\}' | grep -v '─' |
    grep -cE '  [a-z]{2,}\.[a-z]+\.'
grep -c '…' narrow
# the same classes in the same order, without their packages
for f in narrow wide; do
    sed '1,5d' $f | grep -v '─' | awk '{ print $NF }' | sed 's/^.*\.//' >$f.classes
done
same narrow.classes wide.classes
grep -ow '[a-z.]*ConcurrentHashMap$Node' narrow wide
head -n 2 wide | sed 's/.*hotspot  \(.*UTC\).*/\1/'
hprof-diff --format=json "$before" "$after" |
    jq -c '[.changed, .dumps[].timestamp_ms]'
# a saved result has the time of its dump; results of an earlier version have
# none
hprof-diff --format=json "$before" >saved.json
hprof-diff saved.json "$after" | head -n 2 | sed 's/.*hotspot  \(.*UTC\).*/\1/'
jq 'del(.dumps[].timestamp_ms)' saved.json >old.json
hprof-diff old.json "$before" | sed -n '1s/  (layout.*//p; 4p'
# nothing changed; and something changed although no row is shown
hprof-diff "$before" "$before" | tail -n +4
hprof-diff --all "$before" "$before" | grep -c 'nothing changed'
hprof-diff --filter='no.such*' "$before" "$after" 2>.err | tail -n 1
hprof-diff --format=html "$before" "$before" | grep -o '"changed":[a-z]*'
# a time beyond the supported years is not shown
fixture hotspot >a
{ head -c 23 a; printf '\377\377\377\377\377\377\377\377'; tail -c +32 a; } >b
hprof-diff b | sed 's/  (layout.*//;q'
hprof-diff --format=json b >b.json
jq -c '.dumps[0] | keys' b.json
code hprof-diff --exit-code b.json a
# two layout models with equal headers are distinguished
fixture art >art
hprof-convert -q --standard art converted
hprof-diff art converted 2>/dev/null | grep -o '(layout.*'
hprof-diff --layout=art art converted | grep -o '(layout.*'
