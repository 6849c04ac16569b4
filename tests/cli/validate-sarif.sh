# Check SARIF against the published schema of version 2.1.0, which is part of an
# npm package (tests/npm).
need node npm
npm=$("$(dirname "$2")/../npm/install" 2>.err) ||
    skip "npm cannot install the schema"
judge() {
    node "$(dirname "$2")/sarif-schema.js" "$npm" "${@:3}"
}
fixture hotspot >healthy
fixture super-self >error
fixture hostile-names >hostile
fixture text >text
hprof-validate --format=sarif healthy >healthy.sarif
hprof-validate --format=sarif --min-severity=info --level=graph healthy error \
    hostile >found.sarif
hprof-validate --format=sarif --max-examples=0 error text nosuch \
    >none.sarif 2>.err
# limits of the checks are also reported here
fixture instance-class >gap
hprof-validate --format=sarif --level=graph gap 2>.err >gap.sarif
jq -c '.runs[0].invocations[0] | .executionSuccessful,
    (.toolExecutionNotifications[] | [.level, .message.text])' gap.sarif
judge "$@" gap.sarif
judge "$@" healthy.sarif found.sarif none.sarif
# the schema detects an error
jq '.runs[0].results[0].locations[0].physicalLocation.region.startLine = 0 |
    del(.runs[0].tool.driver.name)' found.sarif >wrong.sarif
judge "$@" wrong.sarif
echo "$?"
