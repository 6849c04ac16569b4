# TSV output has the cells of the rows, and no text that ends a cell or a line
# too early.
fixture leak-after >b
fixture hostile-names >hostile
fixture cell-names >names
tab=$'name with\ttab and\nline\\feed'
fixture cut-array >"$tab"
for program in "diff --retained" validate "diff --by=site"; do
    # shellcheck disable=SC2086 # a program with its options
    hprof-$program --format=tsv --label=v='a\b	c' b hostile names "$tab" >tsv 2>.err
    # shellcheck disable=SC2086
    hprof-$program --format=rows --label=v='a\b	c' b hostile names "$tab" >rows 2>.err
    awk -F '\t' '{ print NF }' tsv | uniq -c | wc -l
    # Every cell is that of the row, or 0 or empty. If it would begin a formula,
    # its first character is escaped.
    jq -R -s -c 'split("\n")[:-1] | map(split("\t")) | .[0] as $names |
        .[1:][] | [$names, .] | transpose | map({key: .[0],
            value: (.[1] | gsub("\\\\\\\\"; "\\") | sub("^\\\\x3D"; "="))}) |
            from_entries' tsv >cells
    cut -f 2- tsv | grep -c "\(^\|$(printf '\t')\)[=+@]" | sed 's/$/ formulas/'
    jq -c 'map_values(tostring)' rows >want
    paste -d '\n' want cells | jq -s -c '[range(0; length; 2) as $i |
        .[$i] as $want | .[$i + 1] as $got | ($got | to_entries[] |
        select((.value != ($want[.key] // .value)) or
            ($want[.key] == null and .value != "" and .value != "0")))]'
    jq -s -c 'map(keys) | add | unique' rows >names
    head -n 1 tsv | jq -R -c --slurpfile names names \
        '$names[0] - split("\t")'
    wc -l <rows | tr '\n' ' '
    wc -l <tsv
done
# labels
for label in host=1 host Class=1 dump_id=1 9a=1 =1 a-b=1 "$(printf '%064d' 0)=1" \
    a.b=1 path=x; do
    code hprof-diff --format=tsv --label="$label" b
    code hprof-validate --format=rows --label="$label" b
done
code hprof-diff --format=rows --label=a=1 --label=A=2 b
cat .err
code hprof-diff --format=csv --label=a=1 b
code hprof-validate --label=a=1 b
hprof-diff --format=rows --top=1 --label=a= --label=b=x=y b | jq -c '[.a, .b]'
