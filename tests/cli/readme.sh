# What the README says that hprof-diff says of the corpus, it says.
top=$(cd "$(dirname "$2")/../.." && pwd)
cp "$top"/corpus/shop-*.hprof.zst .
awk '/^\$ hprof-diff .*shop-.*zst/ { n++; print substr($0, 3) >("call." n)
        inside = 1; next }
    /^```/ { inside = 0 }
    inside { print >("want." n) }' "$top/README.md"
for call in call.*; do
    bash -o pipefail "$call" >got 2>&1
    echo "$(same "want.${call#call.}" got): $(cat "$call")"
    looked
done
looked_at 3+
# and the number of rules that it names is how many there are
grep -qF " the $(hprof-validate --rules | wc -l) rules;" "$top/README.md" ||
    echo "another number of rules"
