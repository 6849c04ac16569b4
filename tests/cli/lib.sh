# lib.sh - helper functions of the command-line cases; bash; the runner reads it
# before each case
#
# A case must be able to fail. It must check that its inputs exist, and count
# what its loops compare. CONTRIBUTING.md explains how. tests/check-harness
# breaks the programs on purpose and checks that each case notices.
set -o pipefail

# Tables are as wide as they need to be, unless a case sets another width.
export COLUMNS=10000

# head that always reads to the end. The original ends early, so the writer may
# get SIGPIPE, which pipefail sometimes counts as a failure.
head() {
    if [ "$1" = -n ] && [[ $2 != -* ]]; then
        sed -n "1,$2p" "${@:3}"
    else
        command head "$@"
    fi
}

# grep that reads to the end even with -q (in its first option), for the same
# reason.
grep() {
    if [[ $1 == -[a-zA-Z]* && $1 == *q* ]]; then
        command grep "${1/q/c}" "${@:2}" >/dev/null
    else
        command grep "$@"
    fi
}

# answer: print the answer of a table: the dumps, the heap and the suspects.
answer() {
    awk '/^$/ && ++blank == 2 { exit } { print }'
}

# problem TEXT: print TEXT and let the case fail, also from a subshell.
problem() {
    echo "$*" >>"$HPROF_PROBLEMS"
}

# fixture NAME [OPTION]...: write a dump with the builder. If it writes nothing,
# the case fails. (The fixture `empty` is a dump of 0 bytes.)
fixture() {
    command fixture "$@" || {
        problem "fixture $*: exit status $?"
        return 1
    }
    if [ -f /dev/stdout ] && [ ! -s /dev/stdout ] && [ "$1" != empty ]; then
        problem "fixture $*: nothing written"
    fi
}

# page_data: read an HTML report, and print the JSON that its script shows.
page_data() {
    sed -n 's/^<script id="data"[^>]*>//;T;s/<\/script>$//;p'
}

# page_says PAGE EXPRESSION...: evaluate each expression in the script of a HTML
# page. said_by_pages prints the results, in the order of the calls. It starts node
# once for all of them, because starting node takes longer than anything else here.
page_says() {
    local copy=.page.$((++pages)) IFS=$'\t'
    cp "$1" $copy
    set -- "$copy.said" say "$copy" "${@:2}"
    printf '%s\n' "${*//$'\n'/ }" >>.pages
}
pages=0
said_by_pages() {
    local i browser
    browser=$(dirname "${BASH_SOURCE[0]}")/../browser
    node "$browser/each.js" <.pages || problem "node failed"
    for ((i = 1; i <= pages; i++)); do
        cat .page.$i.said
    done
    rm -f .page.* .pages
    pages=0
}

# looked: count one more comparison. looked_at N: let the case fail unless there
# were N comparisons since the last looked_at. N+ means at least N, for lists
# that others may extend. In check-quick, a quarter of N is enough after thin or
# stride.
looked() {
    echo >>.looked
}
looked_at() {
    local n=0
    [ ! -e .looked ] || n=$(wc -l <.looked)
    [ ! -e .thinned ] || set -- "$((${1%+} / 4))+"
    rm -f .looked .thinned
    case $1 in
    *+) [ "$n" -ge "${1%+}" ] || problem "looked at $n, not $1" ;;
    *) [ "$n" -eq "$1" ] || problem "looked at $n, not $1" ;;
    esac
}

# thin: copy a list; in check-quick (HPROF_QUICK is set), only every third line,
# to save time: from the first line on if HPROF_QUICK is 1, from the second if it
# is 2, from the third if it is 3.
thin() {
    if [ -z "${HPROF_QUICK:-}" ]; then
        cat
    else
        : >.thinned
        awk -v first="$HPROF_QUICK" 'NR % 3 == first % 3'
    fi
}

# stride N: print N; in check-quick 3 * N. For loops over the bytes of a dump.
stride() {
    if [ -z "${HPROF_QUICK:-}" ]; then
        echo "$1"
    else
        : >.thinned
        echo $((3 * $1))
    fi
}

# code CMD...: run CMD quietly, and print its exit status and the command. The
# output goes to ./.out and ./.err.
code() {
    "$@" >.out 2>.err </dev/null
    echo "$? $*"
}

# quiet CMD...: like code, but print only if the status is not 0.
quiet() {
    local status
    "$@" >.out 2>.err </dev/null
    status=$?
    [ "$status" -eq 0 ] || {
        echo "$status $*"
        head -n 3 .err
    }
}

# same A B: print whether two files are equal. Two empty files are a failure.
same() {
    if [ ! -s "$1" ]; then
        echo "empty: $1"
    elif cmp -s "$1" "$2"; then
        echo "same"
    else
        echo "differ: $1 $2"
    fi
}

# same_or_say WHAT A B: like same, but print nothing if they are equal.
same_or_say() {
    [ -s "$2" ] || echo "$1: empty"
    cmp -s "$2" "$3" || echo "$1: differ"
}

# same_folders A B N: print which files differ between two folders. The case fails
# unless each folder has at least N files, none of them empty. One process compares
# all of them, so this is much cheaper than same_or_say for each file.
same_folders() {
    local file n=0
    for file in "$1"/*; do
        [ -s "$file" ] || problem "empty: $file"
        n=$((n + 1))
    done
    [ ! -e .thinned ] || set -- "$1" "$2" "$(($3 / 4))"
    [ "$n" -ge "$3" ] || problem "$1: $n files, not $3"
    diff -rq "$1" "$2"
}

# skip WHY: end the case without a result.
skip() {
    echo "$1"
    exit 77
}

# need TOOL...: skip the case if a tool is missing.
need() {
    local tool
    for tool in "$@"; do
        type -P "$tool" >/dev/null || skip "no $tool"
    done
}

# worlds: print lines "NAME ID_SIZE", one dump in the style of each writer. In
# check-quick, a third of them.
worlds() {
    all_worlds | thin
}
all_worlds() {
    local name size
    for name in hotspot hotspot25 hotspot7 hotspot5 sa sa28 native mat; do
        for size in 4 8; do
            echo "$name $size"
        done
    done
    for name in agent agent102 art dalvik hprofconv; do
        echo "$name 4"
    done
}

# some: copy a list. If it is empty, the case fails.
some() {
    awk '{ print } END { exit NR < 20 }' || problem "no list of fixtures"
}

# fixtures VERDICT: print lines "NAME ID_SIZE" of the fixtures with this verdict
# (valid or invalid), except the huge one.
fixtures() {
    command fixture --list | awk -F '\t' -v want="$1" '
        $3 == want && $1 != "overflow" && $1 !~ /^finding-/ {
            n = split($2, sizes, ",")
            for (i = 1; i <= n; i++)
                print $1, sizes[i]
        }' | some
}

# whole: print the valid fixtures that have no finding. In check-quick, a third of
# them. Those with many ordinary objects, for diff-findings, are left out.
whole() {
    command fixture --list | awk -F '\t' '$3 == "valid" && $4 == "-" &&
        $1 !~ /^finding-/ {
        n = split($2, sizes, ",")
        for (i = 1; i <= n; i++)
            print $1, sizes[i]
    }' | some | thin
}

# tiny_dumps POWER: write 2^POWER dumps of 99 bytes without a file header, with
# 4-byte ids. Each has a class 7, its object 8, and an array 9 of both.
tiny_dumps() {
    local i
    {
        printf '\14\0\0\0\0\0\0\0\132\40\0\0\0\7'
        head -c 38 /dev/zero
        printf '\41\0\0\0\10\0\0\0\0\0\0\0\7\0\0\0\0'
        printf '\42\0\0\0\11\0\0\0\0\0\0\0\2\0\0\0\7'
        printf '\0\0\0\10\0\0\0\11\5\0\0\0\7'
    } >.tiny
    for ((i = 0; i < $1; i++)); do
        cat .tiny .tiny >.twice
        mv .twice .tiny
    done
    cat .tiny
    rm .tiny
}

# eventually CMD...: run CMD again and again until it succeeds, 60 seconds at most.
# A case must wait in this way for another process. A fixed time is too short on a
# machine that has other work.
eventually() {
    local i
    for ((i = 0; i < 3000; i++)); do
        ! "$@" || return 0
        sleep 0.02
    done
    problem "waited in vain: $*"
    return 1
}

# await FILE: wait until another process has made FILE.
await() {
    eventually [ -e "$1" ]
}

# left_over: print the names in this directory, except the given names and dot
# files.
left_over() {
    local name
    for name in *; do
        case " $* " in
        *" $name "*) ;;
        *) [ -e "$name" ] && echo "left over: $name" ;;
        esac
    done
    return 0
}

# no_temp: print hidden files that are not this library's own.
no_temp() {
    local name
    for name in .[!.]*; do
        case $name in
        .out | .err | .looked | .thinned | '.[!.]*') ;;
        *) echo "left over: $name" ;;
        esac
    done
}

# plain_json FILE: print a JSON result line by line, without the members that
# depend on how the file was read. (jq would take ten times as long as the
# program.)
plain_json() {
    sed '/^  "version": /d; /^ *"path": /d; /^ *"compression": /d
        s/^    {"path": "[^"]*", /    {/' "$1"
}

# same_results FOLDER: in each folder below FOLDER, compare all files with the file
# "want", and print which differ. The files are JSON results, with or without the
# messages of the program. Lines and words that depend on how the file was read do
# not count (see plain_json). No file may be empty. One process compares all files.
same_results() {
    local folder file files=()
    for folder in "$1"/*; do
        files+=("$folder/want")
        for file in "$folder"/*; do
            [ -s "$file" ] || problem "empty: $file"
            [ "$file" = "$folder/want" ] || files+=("$file")
        done
    done
    awk 'function ended() {
            if (name ~ /\/want$/)
                want = text
            else if (text != want)
                print "differs: " name
            text = ""
        }
        FNR == 1 { if (name) ended(); name = FILENAME }
        /^  "version": |^ *"path": |^ *"compression": / { next }
        /^    \{"path": "/ { sub(/"path": "[^"]*", /, "") }
        /^hprof-[a-z]*: / { sub(/: [^:]*:/, ":") }
        { text = text $0 "\n" }
        END { ended() }' "${files[@]}"
}

# json_rows [FILE]: print the rows of a JSON result of hprof-diff, one row a line,
# like `jq -c .rows[]`, but without the 15 ms of processor time that jq needs to
# start.
json_rows() {
    sed -n '/^  "rows": \[/,/^  \]/{/^    {/{s/,$//;p;};}' "$@"
}

# json_rules [FILE]: print the lines of the member "rules" of a JSON result of
# hprof-validate, for a comparison.
json_rules() {
    sed -n '/^      "rules": \[/,/^      \]/p' "$@"
}

# verdict [FILE]: print the verdict in a JSON result of hprof-validate.
verdict() {
    sed -n 's/^      "verdict": "\(.*\)",$/\1/p' "$@"
}

# peak MIB CMD...: run CMD and print a message if it used more memory, as
# measured by GNU time. This applies only to release builds, because sanitizers
# use memory of their own. Returns the status of CMD.
peak() {
    local limit=$(($1 * 1024)) took status
    shift
    if [ ! -x /usr/bin/time ]; then
        "$@" >.out 2>.err
        return
    fi
    /usr/bin/time -f %M "$@" >.out 2>.err
    status=$?
    took=$(tail -n 1 .err)
    case $BUILD in
    *release) [ "$took" -le "$limit" ] || echo "$took KiB: $*" ;;
    esac
    return $status
}

# Tools of the JDK that run for a second need half the processor time if the JVM
# uses only its first compiler. javac and jcmd also use the serial garbage
# collector, which starts no threads. For java, each case chooses the collector.
java() { command java -XX:TieredStopAtLevel=1 "$@"; }
javac() {
    command javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -proc:none "$@"
}
jcmd() {
    command jcmd -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC "$@"
}

# jvm ARGUMENT...: start a JVM with the process id $pid. Its standard input is
# descriptor 5, its output is ./said. It ends with the case.
jvm() {
    mkfifo in
    command java -XX:TieredStopAtLevel=1 -Xmx64m -XX:+UseSerialGC -cp . "$@" \
        <in >said &
    pid=$!
    trap 'kill "$pid" 2>.err' EXIT
    exec 5>in
}

# jvm_says LINE: wait until the JVM has printed LINE. If it does not, the case
# is skipped.
jvm_says() {
    for _ in $(seq 600); do
        grep -qx "$1" said && return
        sleep 0.1
    done
    skip "the JVM does not come up"
}

# refused CMD...: run CMD, and print its exit status, the size of its output,
# and its message.
refused() {
    "$@" >.out 2>.err
    echo "$? $(wc -c <.out) $(least <.err)"
}

# least: the --memory that would be enough differs by the C library
least() {
    sed -E 's/(allow more, for example --memory=)[0-9]+/\1N/'
}
