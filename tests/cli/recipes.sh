# The recipes in docs/ci work: the scripts and the Makefile unchanged, and the
# commands taken from the YAML files and the Jenkinsfile. Commands that install
# something (make deps, apt-get, git) are not run.
need jq make zstd
top=$(cd "$(dirname "$2")/../.." && pwd)
ci=$top/docs/ci
corpus=$top/corpus
export TMPDIR=$PWD/tmp
mkdir tmp

# block FILE START END: print the lines between the first line with START and
# the next line that matches END, without their common indent.
block() {
    awk -v start="$2" -v end="$3" '
        on && $0 ~ end { exit }
        on {
            if (indent == "")
                indent = match($0, /[^ ]/) - 1
            print substr($0, indent + 1)
        }
        index($0, start) { on = 1 }' "$1"
}

# yaml_block FILE KEY: print the block scalar ("|") after the line with KEY.
yaml_block() {
    awk -v key="$2" '
        function depth() { return match($0, /[^ ]/) - 1 }
        on == 2 && /[^ ]/ {
            if (indent == "")
                indent = depth()
            if (depth() < indent)
                exit
            print substr($0, indent + 1)
        }
        on == 1 && /[|]$/ { on = 2 }
        index($0, key) == 1 || index($0, "      - " key) == 1 { on = 1 }' "$1"
}

# try CMD...: print the exit status; the output goes to out and err.
try() {
    "$@" >out 2>err
    echo "exit $?"
}

echo "== check-folder.sh"
mkdir ./-d good mixed none broken
fixture hotspot | gzip >good/a.hprof.gz
cp good/a.hprof.gz mixed
cp good/a.hprof.gz ./-d
fixture super-self | gzip >mixed/b.hprof.gz
cp good/a.hprof.gz broken
ln -s nowhere broken/b.hprof.gz
mkdir broken/c.hprof.gz
for folder in good mixed broken none -d; do
    try "$ci/check-folder.sh" "$folder"
    tail -n 1 out
    grep -c ': invalid: ' out
done
try "$ci/check-folder.sh" mixed
grep -q '^mixed/b.hprof.gz: invalid: ' out || echo "b is not named"

echo "== nightly-growth.sh"
cp "$corpus"/shop-*.hprof.zst .
mkdir bin
night() {
    export DUMP_COMMAND="zstd -dqc shop-$1.hprof.zst >\"\$DUMP\""
    try "$ci/nightly-growth.sh" 4711
    grep '^nightly-growth.sh: ' out err
    ls tmp
}
night before
cp heap-baseline.json first.json
night before
night after
grep -c '<html' heap-growth.html
grep -c 'Shop\$Session' out
same heap-baseline.json first.json
GATES='Shop$Session growth-count>2000
* growth-bytes>100MB' night after
GATES='* growth-bytes>100MB
Shop$Session growth-count>1000' night after
GATES='nonsense' night after
REFRESH=1 night after
same heap-baseline.json heap-today.json
night after
# gates on retained sizes need a baseline with retained sizes
GATES='*ArrayList growth-retained>1MB' night after
GATES='*ArrayList growth-retained>1MB' REFRESH=1 night before
GATES='*ArrayList growth-retained>1MB' night after
REFRESH=1 night after
DUMP_COMMAND=true try "$ci/nightly-growth.sh"
cat err
DUMP_COMMAND='fixture super-self >"$DUMP"' try "$ci/nightly-growth.sh"
DUMP_COMMAND='exit 1' try "$ci/nightly-growth.sh"
# the command that the recipe uses by default
cat >bin/jcmd <<'JCMD'
#!/bin/sh
echo "jcmd $1 $2"
zstd -dqc shop-after.hprof.zst >"$3"
JCMD
chmod +x bin/jcmd
unset DUMP_COMMAND
PATH=$PWD/bin:$PATH try "$ci/nightly-growth.sh" 4711
grep '^jcmd' out
ls tmp

echo "== leak-gate.sh"
rm -f leak-baseline.json
try "$ci/leak-gate.sh" shop-before.hprof.zst
cat out
try "$ci/leak-gate.sh" shop-before.hprof.zst
try "$ci/leak-gate.sh" shop-after.hprof.zst
grep '^FAILED' -A 1 out
# with two dumps the leak is also shown
try "$ci/leak-gate.sh" shop-before.hprof.zst shop-after.hprof.zst
grep -A 1 '^[1-9]  .* of the growth' out
GATE='*(static)* growth-retained>10MB' \
    try "$ci/leak-gate.sh" shop-after.hprof.zst
# a stack also refers to the leak, as when memory ran out: the field is shown
rm -f leak-baseline.json
for name in registry registry-held registry-grown; do
    fixture $name >$name
    try "$ci/leak-gate.sh" $name
    grep '^FAILED' -A 1 out
done
try "$ci/leak-gate.sh" registry registry-grown
grep '^FAILED' -A 1 out
try "$ci/leak-gate.sh" nosuch.hprof
try "$ci/leak-gate.sh"

echo "== heap.mk"
mkdir dumps
cp "$corpus/tiny.hprof" dumps/tiny.hprof
fixture super-self >dumps/bad.hprof
unset MAKEFLAGS MAKELEVEL VARIANT
try make -f "$ci/heap.mk" published/tiny.hprof.zst
zstd -dqc published/tiny.hprof.zst | cmp - dumps/tiny.hprof
try make -f "$ci/heap.mk" published/bad.hprof.zst
ls published
# a dump with a warning is refused each time; a changed dump is converted again
cp dumps/tiny.hprof dumps/again.hprof
fixture timestamp-sane >dumps/warned.hprof
for dump in again again warned warned; do
    try make -f "$ci/heap.mk" published/$dump.hprof.zst
    touch -cd "1 hour ago" published/$dump.hprof.zst
done
ls published
zstd -dqc published/again.hprof.zst | cmp - dumps/again.hprof
rm dumps/again.hprof dumps/warned.hprof

echo "== fleet-rows"
# rows_of DIR [KIB]: limit the files to this size, and print the contents of DIR
rows_of() {
    (
        trap '' XFSZ
        ulimit -f "${2:-unlimited}"
        try "$top/docs/fleet/fleet-rows" fleet "$1"
    )
    cat err
    ls -A "$1"
}
mkdir -p fleet/{a,b}/1 fleet/c/2
rows_of rows
cp dumps/*.hprof fleet/a/1
head -c 900 dumps/tiny.hprof >fleet/b/1/cut.hprof
ln -s nowhere fleet/b/1/gone.hprof
rows_of rows
jq -r 'select(.kind == "dump") | "\(.tool) \(.path) \(.partial)"' rows/*.ndjson
# no room for the rows of one program, and for those of all folders
size=$(wc -c <rows/classes.ndjson)
rows_of rows 1
rows_of rows $((size / 1024))

echo "== YAML"
for file in github-actions.yml gitlab-ci.yml; do
    # no tabs and an even indent outside of text: "key:", "- item" or a comment
    grep -n "$(printf '\t')" "$ci/$file"
    grep -nE '^(  )* [^ ]' "$ci/$file"
    grep -nE '^[^ #]' "$ci/$file" | grep -vE '^[0-9]+:[.a-z-]+:( |$)'
    sed -E '/[|]$/,/^ *(- |[a-z-]+:)/d' "$ci/$file" |
        grep -vE '^ *(#.*|(- )?[.A-Za-z_-]+:( .*)?|- .*|)$'
done

echo "== installation: targets that exist, programs where PATH looks"
grep -hoE 'make -C toolkit [a-z]+' "$ci"/*.yml | sort | uniq -c |
    sed 's/^ *//'
ln -s "$top" toolkit
for target in deps all; do
    quiet make -n -C toolkit $target
done
# shellcheck disable=SC2317,SC2329
make() { echo "make $*"; }
yaml_block "$ci/github-actions.yml" 'name: Build the toolkit' >build.sh
GITHUB_PATH=path . ./build.sh
unset -f make
sed "s|^$PWD/||" path
make -n -C toolkit all | grep -- '-o build/release/hprof-' >/dev/null ||
    [ -x "$top/build/release/hprof-validate" ] || echo "not built there"

# dumps_of WORLD: make a folder with dumps for the three services.
dumps_of() {
    rm -rf dumps dumps.xml dumps.sarif
    mkdir dumps
    case $1 in
    good) fixture hotspot >'dumps/a b.hprof' ;;
    bad)
        fixture hotspot >'dumps/a b.hprof'
        fixture super-self >dumps/bad.hprof
        ;;
    esac
}

echo "== GitHub Actions"
yaml_block "$ci/github-actions.yml" 'name: Validate' >validate.sh
for world in none good bad; do
    dumps_of $world
    try bash -e validate.sh
    grep -vE '^::(notice|warning) ' out | sed 's/byte [0-9]*/byte N/'
    [ ! -e dumps.sarif ] || jq -c '[.version,
        [.runs[0].results[] | select(.level == "error") | .ruleId],
        (.runs[0].artifacts | length)]' dumps.sarif
done

echo "== action.yml"
yaml_block "$top/action.yml" '    - name: Check' >action.sh
mkdir -p action/build runner
ln -s "$(dirname "$(command -v hprof-validate)")" action/build/release
export RUNNER_TEMP=$PWD/runner GITHUB_ACTION_PATH=$PWD/action ARGUMENTS=
nl='
'
for files in 'dumps/a*' 'dumps/*' nosuch "dumps/a*$nl none/*.hprof$nl" \
    ' none/10%* ' '-d/*' lines --; do
    case $files in
    # an error alone: the second line also counts
    lines) ARGUMENTS="--strict$nl--severity=super-cycle=info" files='dumps/bad*' ;;
    --) ARGUMENTS=--nosuch files='dumps/*' ;;
    esac
    : >output
    rm -rf sarif && mkdir sarif
    GITHUB_OUTPUT=output SARIF=sarif FILES=$files try bash -e -o pipefail action.sh
    grep 'no file' out
    sed 's/^result=//' output | while read -r result; do
        jq -c '[.files[].path]' "$result"
    done
done
find runner -type f | wc -l
yaml_block "$top/action.yml" '    - name: Compare' >compare.sh
fixture leak-before >before
fixture leak-after >after
hprof-diff --format=json before >before.json
for gates in '' 'total growth-count>1000000' 'total growth-count>1' 'new suspect'; do
    for before in before before.json ''; do
        rm -rf sarif summary && mkdir sarif
        BEFORE=$before AFTER=after ARGUMENTS="${gates:+$nl  $nl--fail-if=$gates}" \
            SARIF=sarif GITHUB_STEP_SUMMARY=summary \
            try bash -e -o pipefail compare.sh
        head -n 1 summary
        [ ! -e sarif/diff.sarif ] ||
            jq -c '[.runs[].results[] | .ruleId] | unique' sarif/diff.sarif
    done
done

echo "== GitLab"
yaml_block "$ci/gitlab-ci.yml" 'heap-dumps:' >validate.sh
for world in none good bad; do
    dumps_of $world
    try sh -e validate.sh
    [ ! -e dumps.xml ] || grep -c '<failure' dumps.xml
done
script=$(grep -o 'toolkit/docs/ci/.*sh' "$ci/gitlab-ci.yml")
DUMP_COMMAND='zstd -dqc shop-after.hprof.zst >"$DUMP"' try sh "$script"

echo "== Jenkins"
block "$ci/Jenkinsfile" "sh '''" "'''" >validate.sh
grep -c '[\]' validate.sh
for world in none good bad; do
    dumps_of $world
    try sh -e validate.sh
    [ ! -e dumps.xml ] || grep -c '<failure' dumps.xml
done
tr -cd '{}' <"$ci/Jenkinsfile" | fold -w 1 | sort | uniq -c | sed 's/^ *//'
