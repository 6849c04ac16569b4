# Test the shell completions: bash always, zsh and fish if they are installed.
folder=$(cd "$(dirname "$2")/../../completions" && pwd)
need awk
. "$folder/hprof.bash"
compopt() { :; }
# offer WORD...: print the completions of bash for the last word.
offer() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _hprof "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    echo "${*: -3}: $(printf '%s\n' "${COMPREPLY[@]}" | sort | head -n 20 |
        tr '\n' ' ')"
}
offer hprof-diff --fo
offer hprof-diff --fail
offer hprof-diff --by = ''
offer hprof-diff --by =
offer hprof-diff --by = p
offer hprof-diff -b ''
offer hprof-diff --by c
offer hprof-diff --format = ''
offer hprof-diff --layout = hot
offer hprof-validate --format = ''
offer hprof-validate --min-severity = ''
offer hprof-validate --disable = ref-dang
offer hprof-validate --disable = magic,super-
offer hprof-validate --severity = super-c
offer hprof-validate --severity = magic = ''
offer hprof-validate --explain = zstd-t
offer hprof-convert --to = ''
offer hprof-convert --compress = ''
offer hprof-convert --strip-arrays = byte,s
offer hprof-convert --strip-a
offer hprof-convert --heaps = ''
offer hprof-convert --threads = ''
: >some-file
offer hprof-convert --output = so
offer hprof-convert -o so
offer hprof-convert so
offer hprof-convert -v so
# each option whose argument is one of a few words offers all of them
for p in validate diff convert; do
    hprof-$p --list-options | while IFS= read -r line; do
        name=$(cut -f1 <<<"$line") shape=$(cut -f3 <<<"$line")
        case $shape in
        one | head | list | list\?) ;;
        *) continue ;;
        esac
        COMP_WORDS=(hprof-$p "$name" = '') COMP_CWORD=3
        _hprof hprof-$p
        [ "${COMPREPLY[*]}" = "$(cut -f4 <<<"$line")" ] ||
            echo "hprof-$p $name: ${COMPREPLY[*]}"
        echo x >>looked
    done
done
[ "$(wc -l <looked)" -gt 25 ] || echo "only $(wc -l <looked) looked at"
# fish can print its completions
if command -v fish >/dev/null; then
    fish_offers() {
        fish --no-config -c "source $folder/hprof.fish; complete -C '$1'" |
            cut -f1 | sort | tr '\n' ' '
    }
    while IFS='|' read -r line want; do
        got=$(fish_offers "$line")
        [ "$got" = "$want " ] || echo "fish: $line: $got"
    done <<'END'
hprof-diff --by=|--by=class --by=cpu --by=dominator --by=heap --by=holder --by=loader --by=monitor --by=package --by=path --by=site
hprof-diff -b |class cpu dominator heap holder loader monitor package path site
hprof-convert --to=|--to=hprof --to=ndjson --to=pack --to=tables --to=text
hprof-validate --disable=magic,super-c|--disable=magic,super-cycle
hprof-validate --severity=magic=|--severity=magic=error --severity=magic=info --severity=magic=warning
hprof-validate --severity=super-c|--severity=super-cycle=
hprof-diff --fail-u|--fail-unmatched
END
fi
# zsh shows its completions only on a terminal, so it gets one
if command -v zsh >/dev/null; then
    zsh -f "$(dirname "$2")/completions.zsh" "$folder" >zsh.out 2>&1
    cat zsh.out
else
    echo "zsh: all as expected"
fi
