# lib.sh - functions that the agent's cases share
# shellcheck shell=bash
set -e -o pipefail
# end the background processes of the case together with the case
trap 'jobs -p | xargs -r kill 2> /dev/null || true' EXIT

# fail TEXT: print TEXT and end the case
fail()
{
    echo "FAILED: $*"
    exit 1
}

# run_java OPTIONS CLASS...: run a class with the agent; returns the exit status
# of the VM
run_java()
{
    local options=$1
    shift
    timeout -k 5 "$([ "$VM" = zero ] && echo 200 || echo 60)" "$JAVA" -Xmx64m -XX:TieredStopAtLevel=1 \
        -agentpath:"$AGENT=$options" -cp "$CLASSES" "$@"
}

# eventually COMMAND...: repeat the command until it succeeds, a minute at most
eventually()
{
    for _ in $(seq 600); do
        ! "$@" || return 0
        sleep 0.1
    done
    fail "waited in vain: $*"
}

# expect STATUS COMMAND...: run the command; fail if it has another exit status
expect()
{
    local want=$1 got=0
    shift
    "$@" || got=$?
    [ "$got" -eq "$want" ] || fail "exit status $got, expected $want: $*"
}

# valid FILE... [OPTION...]: fail unless the files are complete and have neither
# errors nor warnings
valid()
{
    hprof-validate --strict "$@" > validate.out || {
        cat validate.out
        fail "not valid: $*"
    }
}

# absent_or_valid FILE [OPTION...]: fail if FILE exists and is not valid, or if
# a temporary file of the agent is left
absent_or_valid()
{
    [ ! -e "$1" ] || valid "$@"
    [ -z "$(find . -name '.hprof-agent-*')" ] || fail "left: $(ls -A)"
}

# site FILE MEASURE CLASS METHOD: print "COUNT BYTES", the sum of all stack
# traces that begin with METHOD
site()
{
    hprof-diff --by=site --measure="$2" --all --format=json "$1" |
        jq -r --arg class "$3" --arg method "$4" '
            [.rows[] | select(.key == $class and
                (.frames[0] // "" | startswith($method + "(")))] |
            "\(map(.count[0]) | add // 0) \(map(.bytes[0]) | add // 0)"'
}

# has_site FILE MEASURE CLASS METHOD COUNT BYTES: fail unless site() prints
# "COUNT BYTES"
has_site()
{
    local got
    got=$(site "$1" "$2" "$3" "$4")
    [ "$got" = "$5 $6" ] || fail "$1: $3 at $4, $2: '$got', expected '$5 $6'"
}
