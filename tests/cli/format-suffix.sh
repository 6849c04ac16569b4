# The suffix of the output file chooses the format, in all three programs. An
# option that contradicts the suffix is a usage error, and no file is written.
# needs: pack text
fixture leak-after >a

# kind FILE: print the format of the file, recognised by its beginning
kind() {
    case $(head -c 90 "$1" | tr '\0' '.') in
    '<!'*) echo html ;;
    '<?xml'*) echo xml ;;
    '{"'*) echo lines of JSON ;;
    '{'*sarif*) echo sarif ;;
    '{'*) echo json ;;
    key,*) echo csv ;;
    kind$'\t'*) echo tsv ;;
    'a, taken '* | a$'\n  JAVA'*) echo for people ;;
    'JAVA PROFILE'*', created'*) echo text of the agent ;;
    'JAVA PROFILE'*) echo hprof ;;
    *) echo other ;;
    esac
}

# written PROGRAM OPTION... FILE: run the program and print the format of FILE
written() {
    local file=${*: -1}
    rm -rf "$file"
    case $1 in
    hprof-convert) "$@" 2>.err ;;
    *) "${@:1:$#-1}" -o "$file" a 2>.err ;;
    esac </dev/null
    code=$?
    if [ -f "$file" ]; then
        echo "$code $1 $file: $(kind "$file")"
    else
        echo "$code $1 $file: no file. $(sed '1s/.*: --/--/;q' .err)"
    fi
}

for file in o.json o.csv o.tsv o.ndjson o.jsonl o.html o.HTM o.folded o.txt \
    o.out o.json.bak csv .csv d.csv/o; do
    mkdir -p d.csv
    written hprof-diff $file
done
for file in o.json o.sarif o.xml o.html o.tsv o.ndjson o.txt o.csv; do
    written hprof-validate $file
done
for file in o.ndjson o.json o.txt o.hprof o.html; do
    written hprof-convert a $file
done
# the end of the name also chooses the compression
written hprof-convert a o.ndjson.gz
gzip -dc o.ndjson.gz >o && kind o
hprof-convert a o.pack && hprof-validate --format=json o.pack |
    jq -r '.files[0].compression'
hprof-convert --to=tables a o.tar && tar -tf o.tar | head -n 1
# a pack may contain any file, so it can be restored under any name
printf 'a,b\n1,2\n' >any.csv
hprof-convert --to=pack any.csv any.pack
for file in any.txt any.json any.tar; do
    hprof-convert any.pack $file && same any.csv $file
done
# several formats have one suffix: the option decides
written hprof-diff --format=rows o.ndjson
written hprof-diff --format=folded o.txt
written hprof-validate --format=sarif o.json
written hprof-validate --format=github o.txt
# the option contradicts the suffix
written hprof-diff --format=json o.html
written hprof-diff --format=table o.csv
written hprof-validate --format=html o.sarif
written hprof-validate --format=text o.json
written hprof-convert --to=text a o.ndjson
written hprof-convert --to=hprof a o.pack
written hprof-convert --to=ndjson a o.pack.gz
# --raw copies bytes, so it has no format
written hprof-convert --raw a o.json
cmp a o.json

# a format name used as an option
said() {
    "$@" >.out 2>.err
    echo "$? $(head -n 1 .err)"
}
for format in html json csv tsv ndjson rows folded table; do
    said hprof-diff --$format a
done
for format in html json sarif junit github text rows tsv; do
    said hprof-validate --$format a
done
for format in ndjson text pack tables hprof json; do
    said hprof-convert --$format a
done
said hprof-diff --html=out.html a
said hprof-diff --dominator a
said hprof-validate --references a
# several options have this value
said hprof-diff --off a
