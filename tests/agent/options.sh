# Invalid options give a message, and the VM does not start. Valid options have
# the described effect.
refused()
{
    local text=$1
    shift
    expect 1 run_java "$1" Known 2> stderr
    grep -q "hprof-agent: .*$text" stderr || fail "$1: $(cat stderr)"
    [ -z "$(find . -name '*.hprof*')" ] || fail "$1 left a file"
}

refused 'expected samples, times or old' cpu=all
refused 'only= needs heap=, cpu=times' 'only=Known,cpu=samples'
refused 'expected a class name' 'cpu=times,only=:'
refused 'with cpu=old, the agent writes only a text file' cpu=old,format=b
refused 'with cpu=old, the agent writes only a text file' cpu=old,heap=sites
refused 'expected sites, dump or all' heap=none
refused 'not an option' hepa=sites
refused 'has no value' heap
refused "the option 'report' needs an agent that already runs in the VM" report
refused 'expected a number from 1' depth=0
refused 'expected a size' sample=some
refused 'expected a number from 0 to 1' cutoff=2
refused 'expected y or n' thread=maybe
refused 'are binary' heap=dump,format=a
refused 'HOST:PORT' net=nowhere
for port in 0 65536 75537 99999999999999999999 -1 +80 ' 80' 0x50 1.5 ''; do
    refused 'a port from 1 to 65535$' "net=localhost:$port"
done

# If the agent is given twice, the VM does not start. Otherwise a user would not
# notice that only one of the agents has an effect.
for options in sample=0 cpu=samples heap=dump; do
    JAVA_TOOL_OPTIONS="-agentpath:$AGENT=$options,file=1.hprof" \
        refused 'loaded already, perhaps by JAVA_TOOL_OPTIONS: ' \
        "$options,file=2.hprof"
done

# messages show control characters as escapes, so that a terminal does not obey
# them
refused "'"'h\\u{1B}\[2Ja\\xFF'"' is not an option" $'h\e[2Ja\xFF=sites'
refused 'heap=\\u{7}\\u{202E}: expected' $'heap=\a\u202E'

# With depth=1, each trace has one frame. With lineno=n, no frame has a line.
run_java sample=0,depth=1,lineno=n,thread=y,file=o.hprof Known
valid o.hprof
frames=$(hprof-diff --by=site --measure=allocated --format=json o.hprof |
    jq -c '[.rows[].frames | length] | max')
[ "$frames" = 1 ] || fail "depth=1: $frames"
hprof-convert --to=text o.hprof - | grep 'Known.keep(Known.java:Unknown line)' >/dev/null
hprof-convert --to=text o.hprof - | grep '^TRACE .*(thread=20000' >/dev/null

# sample= requests allocation sites, also together with cpu= and monitor=
run_java cpu=samples,monitor=y,sample=0,file=both.hprof Known
has_site both.hprof live 'Known$Order' Known.keep 1000 32000

# force=n writes to a name that does not exist; %p is the process id
run_java sample=0,force=n,file=o.hprof Known
[ -e o.hprof.1 ] || fail "force=n: $(ls)"
run_java sample=0,file=p-%p.hprof Known
ls p-[0-9]*.hprof

# doe=n: no report at exit
run_java sample=0,doe=n,file=no.hprof Known
[ ! -e no.hprof ]

# cutoff omits sites that have less than this share of both the live and the
# allocated bytes
run_java sample=0,cutoff=0.4,file=c.hprof Known
hprof-diff --by=site --measure=allocated --format=json c.hprof |
    jq -e '.rows | length == 2'

# If the folder does not exist, the agent prints a message at the start and
# another at the end. There is no file, and the program keeps its exit status.
expect 3 run_java sample=0,file=none/o.hprof Known 3 2> stderr
diff stderr - <<'END'
hprof-agent: none/o.hprof: No such file or directory; until this is fixed, no report can be written
hprof-agent: no report: none/o.hprof: No such file or directory
END

# Messages also escape control characters in file names. Other letters stay as
# they are.
expect 3 run_java $'sample=0,file=none/\e]0;t\a\n' Known 3 2> stderr
[ "$(grep -c '^hprof-agent: .*none/\\u{1B}\]0;t\\u{7}\\u{A}: No such' stderr)" = 2 ] ||
    fail "$(cat stderr)"
run_java $'sample=0,file=\u00FC\e.hprof' Known 2> stderr
valid $'\u00FC\e.hprof'
grep -q $'^hprof-agent: wrote \u00FC\\\\u{1B}.hprof (' stderr || fail "$(cat stderr)"

# help and the manual page have the same options
expect 0 run_java help Known 2> help
grep -oE '^  [a-z]+' help | tr -d ' ' | sort > in-help
grep -oE '^\.It Cm [a-z]+' "$AGENT_TESTS/../../man/hprof-agent.1" |
    sed 's/.* //' | grep -v '^help$' | sort -u > in-manual
[ "$(wc -l < in-help)" -ge 15 ]
diff in-help in-manual
