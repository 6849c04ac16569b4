# A CI runner executes commands that it finds in a log. No name in a dump and no
# path may be such a command, in any output or message of any program. GitHub's
# runner searches for :: at the start of a line or after blanks, and for ##[
# anywhere. Azure's searches for ##vso[, and TeamCity's for ##teamcity[.
need jq
fixture runner-commands >a
fixture hotspot >b
fixture cut-array >'::error::##[error]##vso[x]cut'
cp a '::error::##[error]##vso[x]whole'
cut='::error::##[error]##vso[x]cut' path='::error::##[error]##vso[x]whole'

# show: print the messages and the output of the command. With --format=github
# the program's own lines are commands, so only the text after them counts.
show() {
    looked
    "$@" 2>&1 </dev/null
}
all() {
    local by f
    for f in text json sarif junit html rows tsv; do
        show hprof-validate --strict --level=graph --max-examples=99 -v \
            --format=$f --label='l=::error::##[x]' a "$path" "$cut"
        show hprof-validate --strict --level=graph -v --format=$f a "$path" "$cut"
    done
    show hprof-validate --format=github a "$path" "$cut" |
        sed 's/^::\(error\|warning\|notice\) file=//'
    for f in table json csv tsv ndjson rows html folded pprof speedscope markdown sarif junit; do
        for by in class package loader heap site path dominator holder; do
            show hprof-diff --by=$by --format=$f -v b a
            show hprof-diff --by=$by --format=$f --wide "$path"
        done
        show hprof-diff --normalize=off --format=$f a
        show hprof-diff --retained --format=$f b "$path"
        show hprof-diff --why='*' --format=$f a
        show hprof-diff --fail-if='##[x] count>0' --format=$f a
        show hprof-diff --format=$f a "$cut"
    done
    for f in text ndjson; do
        show hprof-convert --to=$f a -
        show hprof-convert --to=$f --strings "$path" -
    done
    show hprof-convert --to=ndjson --graph a -
    show hprof-convert --to=ndjson --edges a -
    show hprof-convert --shape-only --force --verify "$path" out
    show hprof-convert "$cut" out --force
    show hprof-convert --salvage "$cut" out --force
    show hprof-convert --to=tables --force "$path" tables
    show cat tables/*
    show hprof-validate '::error::gone' '##[error]gone'
    show hprof-diff '::error::gone' '##[error]gone'
    show hprof-convert '::error::gone' '##[error]gone'
    show hprof-validate '--::error::##[x]'
    show hprof-diff '--by=##[x]' a
}
all >.all
looked_at 180+
[ "$(wc -l <.all)" -gt 5000 ] || problem "only $(wc -l <.all) lines"
LC_ALL=C.UTF-8 grep -nE '^[[:space:]]*::|##[a-zA-Z]*\[' .all
# The names are there, in an escaped form that can be decoded.
for f in table csv; do
    hprof-diff --format=$f a | grep -oE '.x(3A|23)[:#].*' | cut -d, -f1
done | sort -u
hprof-diff --format=json a | jq -r '.rows[].key' | grep -oF \
    -e '\x3A:error::pwned' -e '\x23#[error]pwned' | sort
# In data for programs the escapes are those of JSON, so they are invisible.
hprof-convert --to=ndjson a | jq -r 'select(.record == "STRING").text' |
    grep -e '##' -e '::' | head -n 20
# Earlier versions saved such names, and invisible characters, unescaped.
hprof-diff --format=json --label=l=x a >saved
sed 's/\\\\x3A:/::/; s/\\\\x23#/##/; s/a::b C#/a\xE3\x85\xA4b C#/' saved >older
grep -c -e '"::error' -e '"##.error' older
code hprof-diff --exit-code saved a
hprof-diff --format=csv older a | LC_ALL=C.UTF-8 grep -n '3164\|\xE3\x85\xA4\|C#'
hprof-diff older a 2>&1 | LC_ALL=C.UTF-8 grep -nE '^[[:space:]]*::|##[a-zA-Z]*\['
true
