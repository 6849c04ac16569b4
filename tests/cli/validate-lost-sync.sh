# A record whose length reaches beyond the end of the file, shortly after an
# unknown tag: the findings about its body have its own number and length, from
# a file and from a pipe. From a pipe, hprof-validate knows only after the body
# was read that the position in the file was lost.
start() {
    printf 'JAVA PROFILE 1.0.2\0\0\0\0\4\0\0\1\213\317\345\150\0'
    printf '\1\0\0\0\0\0\0\0\5\0\0\1\0a'    # STRING, record 1, at 31
    printf '\167\0\0\0\0\0\0\0\0'           # unknown tag, record 2, at 45
}
# heap TAG: the header of record 3, at 54; its body begins at 63
heap() {
    printf "\\$1"'\0\0\0\0\1\0\2\0'
}
lost() {
    start
    case $1 in
    unknown) heap 14; printf '\0\0\0\0\0\0' ;;
    segment) heap 34; printf '\0\0\0\0\0\0' ;;
    root) heap 14; printf '\377\0\0\1\0\377\0\0\1\0\376' ;;
    cut) heap 14; printf '\377\0\0\1\0\43\0\0\2\0\0\0\0\0\0\0\0\7\10aaa' ;;
    array) heap 14; printf '\43\0\0\2\0\0\0\0\0\0\177\0\0\10aaa' ;;
    string) printf '\1\0\0\0\0\0\0\1\0\0\0\3\0b' ;;
    esac
}
for kind in unknown segment root cut array string; do
    lost $kind >$kind
    hprof-validate --format=json $kind | grep -v '"path"' >file
    hprof-validate --format=json - <$kind | grep -v '"path"' >redirected
    cat $kind | hprof-validate --format=json - | grep -v '"path"' >pipe
    gzip -c $kind | hprof-validate --format=json - |
        grep -vE '"path"|"compression"' >gz
    same_or_say "$kind, redirected" file redirected
    same_or_say "$kind, pipe" file pipe
    grep -v '"compression"' file >plain
    same_or_say "$kind, gzip" plain gz
    echo "$kind: $(jq -c '.files[0].rules[] | .rule as $rule | .examples[] |
        [$rule, .offset, .record, .message]' file)"
    looked
done
looked_at 6
