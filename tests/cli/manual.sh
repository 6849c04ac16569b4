# The manual pages have exactly the options of --help and the rules of --rules.
# needs: text
man=$(dirname "$2")/../../man
for p in validate diff convert; do
    hprof-$p --help=all |
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
    "$man/hprof-rules.7" | diff rules - || echo "see man/update-rules"
# a second long option in a line has its dashes
grep -nE 'Fl Fl [^ ]+ , (Fl )?[a-z]{3,}( |$)' "$man"/*.[1357] || true
# a manual page has a limited length, so that people read it
for page in "$man"/*.[157]; do
    [ "$(wc -c <"$page")" -le 12288 ] || problem "${page##*/} is too long"
    looked
done
looked_at 7+
# every member of the JSON results is documented
members_of() {
    awk -v of="JSON OF HPROF-$1" '/^\.Sh/ { on = index($0, of) } on' \
        "$man/hprof-json.5" |
        tr -c 'a-z0-9_\n' '[\n*]' | sort -u
}
# members FILE: print all members except names of records and labels
members() {
    jq -r '(.files[]? | .records, .subrecords) = {} |
        (.dumps[]? | select(.labels) | .labels) = {} |
        paths[-1] | strings' "$1"
}
if command -v jq >/dev/null; then
    fixture agent >a
    fixture leak-before >b
    fixture leak-after >c
    fixture registry >d
    fixture registry-grown >e
    fixture instance-class >u
    hprof-convert -q --to=text a t
    sed 's/^Identifiers have.*/&\nhprof-agent: sample=64 lost=0 depth=4 vm=17/' \
        t >sampled
    head -c 900 a >cut
    hprof-validate -q --format=json a t >known || true
    for way in --level=graph --baseline=known --memory=24M --dump=2; do
        hprof-validate -q --format=json "$way" a t cut no-file u >json 2>.err
        cat json
    done >all
    members all | sort -u >names
    [ "$(wc -l <names)" -gt 30 ] || echo "no members"
    members_of VALIDATE | comm -23 names -
    for way in --by=class --by=loader --by=site --by=cpu --by=monitor \
        --by=holder --by=package --by=path --by=dominator --retained \
        --columns=largest,depth,native,percent,average --fillers=hide --heap='*' \
        --why='*' --label=k=v --fail-if='* count>1'; do
        for dumps in a 't t' sampled 'b c c' 'd e' u; do
            # shellcheck disable=SC2086
            hprof-diff -q --format=json "$way" $dumps >json 2>.err
            [ $? -eq 2 ] || cat json
        done
    done >all
    members all | sort -u >names
    [ "$(wc -l <names)" -gt 60 ] || echo "no members"
    members_of DIFF | comm -23 names -
fi
# every column of rows for databases is documented
columns_of() {
    awk '/^\.Sh/ { on = /ROWS FOR DATABASES|JSON OF HPROF-DIFF/ } on' \
        "$man/hprof-formats.5" "$man/hprof-json.5" | tr -c 'a-z0-9_\n' '[\n*]' | sort -u
}
fixture agent >a
for way in --columns=largest,depth,native,retained,percent,average \
    --by=holder --by=loader --by=cpu --by=monitor --by=site; do
    hprof-diff -q --format=tsv "$way" a | head -n 1 | tr '\t' '\n'
done | sort -u >columns
[ "$(wc -l <columns)" -gt 35 ] || echo "no columns"
columns_of | comm -23 columns -
hprof-validate -q --format=tsv a | head -n 1 | tr '\t' '\n' | sort >columns
columns_of | comm -23 columns -
