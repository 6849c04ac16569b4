# Several files have a result each, in the given order. The largest exit status
# wins.
fixture hotspot >fine
fixture empty >empty
code hprof-validate fine fine
code hprof-validate fine empty
code hprof-validate empty fine
code hprof-validate nosuch empty fine
# the hint at --explain is printed once, and not with -q
hprof-validate empty fine empty | grep -e --explain
hprof-validate -q empty empty | grep -c -e --explain
hprof-validate fine fine | grep -c -e --explain
# also below notes, if these are listed
hprof-validate -v fine 2>.err | grep -e --explain
hprof-validate -v --min-severity=warning fine 2>.err | grep -c -e --explain
code hprof-validate --format=json fine nosuch empty fine
jq -c '.files[] | [.path, .verdict]' .out
# The result of a file is printed before the next file is read.
mkfifo late
: >text
hprof-validate fine late >text 2>.err &
eventually grep -q '^fine: valid' text
grep -c ': valid' text
cat fine >late
wait
grep ': valid' text
tail -n 1 text
# a reader that closes the pipe ends the run
mkfifo never
timeout 60 hprof-validate fine never >/dev/full 2>.err
echo "exit $?"
# --rules and --explain are written to the file of -o
hprof-validate --rules -o rules
cmp rules <(hprof-validate --rules) && echo same
code hprof-validate --explain=magic -o rules
head -n 1 rules
code hprof-validate --explain=magic --force -o rules
head -n 1 rules
