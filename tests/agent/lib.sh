# lib.sh - what the agent's cases share
# shellcheck shell=bash
set -e -o pipefail
# what a case left running ends with it
trap 'jobs -p | xargs -r kill 2> /dev/null || true' EXIT

# fail TEXT: the case ends
fail()
{
    echo "FAILED: $*"
    exit 1
}

# run_java OPTIONS CLASS...: with the agent; the VM's exit status
run_java()
{
    local options=$1
    shift
    timeout -k 5 "$([ "$VM" = zero ] && echo 200 || echo 60)" "$JAVA" -Xmx64m -XX:TieredStopAtLevel=1 \
        -agentpath:"$AGENT=$options" -cp "$CLASSES" "$@"
}

# expect STATUS COMMAND...: its exit status must be that
expect()
{
    local want=$1 got=0
    shift
    "$@" || got=$?
    [ "$got" -eq "$want" ] || fail "exit status $got, expected $want: $*"
}

# valid FILE... [OPTION...]: whole, and nothing to complain about
valid()
{
    hprof-validate --strict "$@" > validate.out || {
        cat validate.out
        fail "not valid: $*"
    }
}

# absent_or_valid FILE [OPTION...]: never a part of one, and nothing left beside it
absent_or_valid()
{
    [ ! -e "$1" ] || valid "$@"
    [ -z "$(find . -name '.hprof-agent-*')" ] || fail "left: $(ls -A)"
}

# site FILE MEASURE CLASS METHOD: "COUNT BYTES", summed over its traces
site()
{
    hprof-diff --by=site --measure="$2" --all --format=json "$1" |
        jq -r --arg class "$3" --arg method "$4" '
            [.rows[] | select(.key == $class and
                (.frames[0] // "" | startswith($method + "(")))] |
            "\(map(.count[0]) | add // 0) \(map(.bytes[0]) | add // 0)"'
}

# has_site FILE MEASURE CLASS METHOD COUNT BYTES
has_site()
{
    local got
    got=$(site "$1" "$2" "$3" "$4")
    [ "$got" = "$5 $6" ] || fail "$1: $3 at $4, $2: '$got', expected '$5 $6'"
}
