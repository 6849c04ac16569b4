# lib.sh - what the cases share; bash, read before each of them
#
# A case must be able to fail: what it compares has to be there, and what its
# loops look at has to be counted. CONTRIBUTING.md says how, tests/check-harness
# breaks the programs and wants each case to notice.
set -o pipefail

# head, but it reads to the end: one that goes before that may end the writer
# by SIGPIPE, which pipefail takes for a failure, now and then.
head() {
    if [ "$1" = -n ] && [[ $2 != -* ]]; then
        sed -n "1,$2p" "${@:3}"
    else
        command head "$@"
    fi
}

# grep, but -q (in its first option) reads to the end, for the same reason.
grep() {
    if [[ $1 == -[a-zA-Z]* && $1 == *q* ]]; then
        command grep "${1/q/c}" "${@:2}" >/dev/null
    else
        command grep "$@"
    fi
}

# problem TEXT: the case has failed, whatever it prints; from any subshell.
problem() {
    echo "$*" >>"$HPROF_PROBLEMS"
}

# fixture NAME [OPTION]...: the builder; a dump that it did not write fails the
# case. (The fixture `empty` is a dump of no bytes.)
fixture() {
    command fixture "$@" || {
        problem "fixture $*: exit status $?"
        return 1
    }
    if [ -f /dev/stdout ] && [ ! -s /dev/stdout ] && [ "$1" != empty ]; then
        problem "fixture $*: nothing written"
    fi
}

# looked: one more thing was looked at; looked_at N: fails the case unless N
# were since the last time. N+: or more, where others add to a list.
looked() {
    echo >>.looked
}
looked_at() {
    local n=0
    [ ! -e .looked ] || n=$(wc -l <.looked)
    rm -f .looked
    case $1 in
    *+) [ "$n" -ge "${1%+}" ] || problem "looked at $n, not $1" ;;
    *) [ "$n" -eq "$1" ] || problem "looked at $n, not $1" ;;
    esac
}

# code CMD...: run quietly, print the exit status and the command. Output is
# left in ./.out and ./.err.
code() {
    "$@" >.out 2>.err </dev/null
    echo "$? $*"
}

# quiet CMD...: as code, but says something only if the status is not 0.
quiet() {
    local status
    "$@" >.out 2>.err </dev/null
    status=$?
    [ "$status" -eq 0 ] || {
        echo "$status $*"
        head -n 3 .err
    }
}

# same A B: says whether two files are equal. Two files of nothing are not.
same() {
    if [ ! -s "$1" ]; then
        echo "empty: $1"
    elif cmp -s "$1" "$2"; then
        echo "same"
    else
        echo "differ: $1 $2"
    fi
}

# same_or_say WHAT A B: as same, but silent where they are equal.
same_or_say() {
    [ -s "$2" ] || echo "$1: empty"
    cmp -s "$2" "$3" || echo "$1: differ"
}

# skip WHY: leave the case without a verdict.
skip() {
    echo "$1"
    exit 77
}

# need TOOL...: skip without them.
need() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || skip "no $tool"
    done
}

# worlds: lines "NAME ID_SIZE" of the dumps in each writer's habits.
worlds() {
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

# some: passes on a list, of which a part fails the case.
some() {
    awk '{ print } END { exit NR < 20 }' || problem "no list of fixtures"
}

# fixtures VERDICT: lines "NAME ID_SIZE" of the fixtures with that verdict
# (valid, invalid), but for the huge one.
fixtures() {
    command fixture --list | awk -F '\t' -v want="$1" '
        $3 == want && $1 != "overflow" {
            n = split($2, sizes, ",")
            for (i = 1; i <= n; i++)
                print $1, sizes[i]
        }' | some
}

# whole: the valid fixtures without any finding of theirs.
whole() {
    command fixture --list | awk -F '\t' '$3 == "valid" && $4 == "-" {
        n = split($2, sizes, ",")
        for (i = 1; i <= n; i++)
            print $1, sizes[i]
    }' | some
}

# tiny_dumps POWER: 2^POWER dumps of 99 bytes without a header, of 4-byte ids:
# a class 7, its object 8, and an array 9 that has both.
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

# left_over: names in this directory but for those given and dot files.
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

# no_temp: hidden files other than this library's own.
no_temp() {
    local name
    for name in .[!.]*; do
        case $name in
        .out | .err | .looked | '.[!.]*') ;;
        *) echo "left over: $name" ;;
        esac
    done
}

# plain_json FILE: a result without what may differ between the ways in, line by
# line. (A process of jq takes ten times as long as one of ours.)
plain_json() {
    sed '/^  "version": /d; /^ *"path": /d; /^ *"compression": /d
        s/^    {"path": "[^"]*", /    {/' "$1"
}

# peak MIB CMD...: says so if CMD took more memory; GNU time measures it. Only
# of release builds: sanitizers take their own. The status is CMD's.
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

# jvm ARGUMENT...: a JVM, $pid, whose standard input is open as 5 and whose
# output is in ./said; at the end of the case it is no more.
jvm() {
    mkfifo in
    java -Xmx64m -XX:+UseSerialGC -cp . "$@" <in >said &
    pid=$!
    trap 'kill "$pid" 2>.err' EXIT
    exec 5>in
}

# jvm_says LINE: wait until it has said that; without it the case has no verdict.
jvm_says() {
    for _ in $(seq 200); do
        grep -qx "$1" said && return
        sleep 0.1
    done
    skip "the JVM does not come up"
}

# refused CMD...: its exit status, how much it put out, and why.
refused() {
    "$@" >.out 2>.err
    echo "$? $(wc -c <.out) $(cat .err)"
}
