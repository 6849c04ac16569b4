# Several files: a result for each, in the order given; the worst code wins.
fixture hotspot >fine
fixture empty >empty
code hprof-validate fine fine
code hprof-validate fine empty
code hprof-validate empty fine
code hprof-validate nosuch empty fine
# where rules are explained is said once, and not with -q
hprof-validate empty fine empty | grep -e --explain
hprof-validate -q empty empty | grep -c -e --explain
hprof-validate fine fine | grep -c -e --explain
# below notes, too, where these are listed
hprof-validate -v fine 2>.err | grep -e --explain
hprof-validate -v --min-severity=warning fine 2>.err | grep -c -e --explain
code hprof-validate --format=json fine nosuch empty fine
jq -c '.files[] | [.path, .verdict]' .out
# What there is to say about a file is said before the next one is read.
mkfifo late
hprof-validate fine late >text 2>.err &
for _ in $(seq 200); do
    ! grep -q '^fine: valid' text || break
    sleep 0.1
done
grep -c ': valid' text
cat fine >late
wait
grep ': valid' text
tail -n 1 text
# a reader that has seen enough ends the run
mkfifo never
timeout 60 hprof-validate fine never >/dev/full 2>.err
echo "exit $?"
# --rules and --explain go where results go
hprof-validate --rules -o rules
cmp rules <(hprof-validate --rules) && echo same
code hprof-validate --explain=magic -o rules
head -n 1 rules
code hprof-validate --explain=magic --force -o rules
head -n 1 rules
