# The manual pages have the options of --help and the rules of --rules, no
# more and no less.
man=$(dirname "$2")/../../man
for p in validate diff convert; do
    hprof-$p --help |
        sed -nE 's/^  (-([a-zA-Z]),|   ) --([a-z-]+).*/\3 \2/p' | sort >help
    awk '/^\.Sh/ { on = $2 == "OPTIONS" }
        on && /^\.It Fl/ {
            long = letter = ""
            for (i = 2; i < NF; i++)
                if ($i == "Fl" && $(i + 1) == "Fl")
                    long = $(i + 2)
                else if ($i == "Fl" && $(i - 1) != "Fl")
                    letter = $(i + 1)
            print long, letter
        }' "$man/hprof-$p.1" | sort >page
    diff help page
done
hprof-validate --rules | awk '{ print $1, $2 }' >rules
sed -nE 's/^\.It Cm ([A-Za-z0-9-]+) Pq ([a-z]+)$/\1 \2/p' \
    "$man/hprof-validate.1" | diff rules - || echo "see man/update-rules"
# a second long option in a line keeps its dashes
grep -nE 'Fl Fl [^ ]+ , (Fl )?[a-z]{3,}( |$)' "$man"/*.[13] || true
# every column of rows for databases
columns_of() {
    awk '/^\.Sh/ { on = /ROWS FOR DATABASES/ } on' "$man/hprof-$1.1" |
        tr -c 'a-z0-9_\n' '[\n*]' | sort -u
}
fixture agent >a
for way in --columns=largest,depth,native,retained --by=holder --by=loader \
    --by=cpu --by=site; do
    hprof-diff -q --format=tsv "$way" a | head -n 1 | tr '\t' '\n'
done | sort -u >columns
[ "$(wc -l <columns)" -gt 35 ] || echo "no columns"
columns_of diff | comm -23 columns -
hprof-validate -q --format=tsv a | head -n 1 | tr '\t' '\n' | sort >columns
{ columns_of diff && columns_of validate; } | sort -u | comm -23 columns -
