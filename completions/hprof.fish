# Completion for hprof-validate, hprof-diff and hprof-convert in fish. Options
# and what they take come from the program's own --list-options, so they are
# always those of the installed version.

# __hprof_list WORD...: the words that may follow the last comma
function __hprof_list
    set -l before (commandline -ct | string replace -r '^--[^=]*=' '' |
        string match -r '.*,')
    printf "$before%s\n" $argv
end

# __hprof_pair FIRST SECOND: RULE=severity
function __hprof_pair
    set -l token (commandline -ct | string replace -r '^--[^=]*=' '')
    if string match -q '*=*' -- $token
        printf (string replace -r '=.*' '=' -- $token)"%s\n" \
            (string split ' ' -- $argv[2])
    else
        printf '%s=\n' (string split ' ' -- $argv[1])
    end
end

function __hprof_options
    $argv[1] --list-options 2>/dev/null | while read -l -d \t name letter \
            shape choices values help
        set -l rest -l (string sub -s 3 -- $name) -d $help
        test -n "$letter"; and set -a rest -s (string sub -s 2 -- $letter)
        switch $shape
            case none
            case file
                set -a rest -r -F
            case text
                set -a rest -x
            case 'one*' 'head*'
                set -a rest -f -a $choices
            case 'list*'
                set -a rest -f -a "(__hprof_list $choices)"
            case pair
                set -a rest -f -a "(__hprof_pair '$choices' '$values')"
        end
        switch $shape
            case one head list pair
                set -a rest -r
        end
        complete -c $argv[1] $rest
    end
end

for program in hprof-validate hprof-diff hprof-convert
    __hprof_options $program
end
