# SARIF against the published schema of 2.1.0, which an npm package holds. It is
# installed once, into HPROF_NPM or build/npm.
need node npm
top=$(cd "$(dirname "$2")/../.." && pwd)
npm=${HPROF_NPM:-$top/build/npm}
schema=$npm/node_modules/@microsoft/jest-sarif/lib/schemas
if [ ! -e "$schema/sarif-2.1.0-rtm.5.json" ]; then
    mkdir -p "$npm"
    npm install --prefix "$npm" --no-audit --no-fund --ignore-scripts \
        --silent @microsoft/jest-sarif@1.0.0-beta.0 ajv@6.12.6 >.out 2>.err ||
        skip "npm cannot install the schema"
fi
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
judge "$@" healthy.sarif found.sarif none.sarif
# the schema does find what is wrong
jq '.runs[0].results[0].locations[0].physicalLocation.region.startLine = 0 |
    del(.runs[0].tool.driver.name)' found.sarif >wrong.sarif
judge "$@" wrong.sarif
echo "$?"
