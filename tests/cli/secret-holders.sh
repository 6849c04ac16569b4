# --secrets finds the values of fields and keys that are called password,
# secret, token and the like; --strip-matching removes them. planted writes ten
# of them, and texts with such names that are no secrets. The search here does not
# use the code of the programs: without its zero bytes, UTF-16 is Latin-1.
left() {
    tr -d '\0' <"$1" | grep -a -o 'Zq1' | wc -l
}
for size in 4 8; do
    planted $size named >a
    echo "planted: $(left a)"
    code hprof-validate --secrets a
    hprof-validate --secrets --format=json --max-examples=20 a >json
    jq -r '.files[0] | .secrets.found, (.rules[] | select(.rule == "secret") |
        .examples[].message)' json
    hprof-validate --secrets --format=json --max-examples=20 \
        --threads=1 - <a |
        jq -c '.files[0].rules' >one
    jq -c '.files[0].rules' json >many
    same one many
    grep -c Zq1 json
    quiet hprof-convert --strip-matching=secrets a b
    echo "left: $(left b)"
    code hprof-validate --strict --secrets b
    for text in tokenizer7-text.9 policy:at-least-8 /home/app/work Geheimwort7 \
        hunter22-none; do
        grep -a -q -e "$text" b || problem "removed: $text"
    done
    hprof-convert --strip-matching=secrets - <a 2>.err | cat >c
    same b c
    # two dumps in a file: the same ids mean other objects in each
    cat a b >d
    hprof-validate --secrets --format=json d |
        jq -c '.files[0].secrets.found'
    # the category can also be listed
    hprof-validate --secrets=holders --format=json d |
        jq -c '.files[0].secrets.found'
    rm b c d
done

# within --memory, or refused
crafted named 2 >n
for memory in 24 40 64; do
    peak $memory hprof-validate --secrets --memory=${memory}MB n
    case $? in
    0 | 1) ;;
    2) grep -q -e "--memory" .err || echo "$memory: $(cat .err)" ;;
    *) echo "$memory: $?" ;;
    esac
done
