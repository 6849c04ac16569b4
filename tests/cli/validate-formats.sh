# SARIF, JUnit and GitHub commands have their required properties, for a file
# with an error, one with a warning, one that is not a dump, and a missing one.
fixture super-self >error
fixture dangling-static >warning
fixture text >text
v() { hprof-validate "$@" error warning text nosuch 2>.err; }
v --format=sarif >sarif
echo "exit $?"
jq -c '[.version, (.runs | length)], (.runs[0] |
    (.tool.driver | [.name, (.rules | length)]),
    (.invocations[0].executionSuccessful),
    [.artifacts[].location.uri],
    ([.results[] | select(.message.text == null or (.level | IN("error",
        "warning", "note") | not) or .ruleId == null or
        (.locations[0].physicalLocation.artifactLocation.uri == null))] |
        length))' sarif
# the name of an unreadable file is given
jq -c '.runs[0] | .artifacts as $files | .invocations[0] |
    .toolExecutionNotifications[].locations[].physicalLocation |
    .artifactLocation | [.uri, $files[.index].location.uri]' sarif
# ruleIndex refers to the rule with that id; ids are unique
jq -c '.runs[0] | .tool.driver.rules as $rules |
    ([.results[] | select($rules[.ruleIndex].id != .ruleId)] | length),
    (($rules | map(.id) | unique | length) == ($rules | length)),
    ([$rules[] | select(.shortDescription.text and .fullDescription.text and
        .defaultConfiguration.level | not)] | length),
    [.results[] | select(.level == "error") | .ruleId],
    [.results[] | select(.ruleId == "ref-dangling-static") |
        .locations[0].physicalLocation.region.byteOffset > 0]' sarif
# a rule's help has several lines, as with --explain
jq -j '.runs[0].tool.driver.rules[] | select(.id == "magic") | .help.text' \
    sarif >help
hprof-validate --explain=magic >want
same want help
# the place of a result for viewers that show lines, and the fingerprint that
# identifies it
jq -c '.runs[0].results | map(.locations[0].physicalLocation.region |
    .startLine == 1 and .byteOffset != null) | all' sarif
jq -c '.runs[0].results | map(.message.text == "at byte \(.locations[0]
    .physicalLocation.region.byteOffset): " + (.message.text |
    sub("^at byte [0-9]+: "; ""))) | all' sarif
jq -r '.runs[0].results[] | .partialFingerprints["hprofFinding/v1"]' sarif >prints
grep -cvE '^[0-9a-f]{32}:[1-9][0-9]*$' prints
sort -u prints | wc -l | grep -cx "$(wc -l <prints)"
# another dump of the same program, with other ids and offsets, has the same
# fingerprints
fixture dangling-static --id-size=4 >other
(
    mkdir -p elsewhere
    cd elsewhere
    cp ../other warning
    hprof-validate --format=sarif warning 2>../.err >../sarif.other
)
jq -r '.runs[0].results[] | .partialFingerprints["hprofFinding/v1"]' \
    sarif.other >prints.other
grep -cxFf prints prints.other
jq -c '[.runs[0].tool.driver.rules[].help.text | length > 40] | all' sarif
v --format=junit >junit
echo "exit $?"
head -n 2 junit
grep -c '<testsuite name=' junit
grep '<testsuite name=' junit | sed 's/tests="[0-9]*"/tests/; s/ skipped.*//'
grep -c '<failure' junit
! command -v xmllint >/dev/null || xmllint --noout junit
hprof-validate --strict --format=junit warning | grep -c '<failure'
v --format=github >github
echo "exit $?"
grep -v '^::notice' github | sed 's/byte [0-9]*/byte N/; s/0x[0-9a-f]*/ID/g'
