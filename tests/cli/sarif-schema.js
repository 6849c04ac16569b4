/*
 * sarif-schema.js FOLDER FILE... - are the files SARIF 2.1.0 by its schema?
 *
 * FOLDER has the npm package @microsoft/jest-sarif, which holds the published
 * schema and the validator that its version needs. Prints a line for each file:
 * how many results it has, or what is wrong.
 */
'use strict';
const fs = require('fs');
const path = require('path');
const home = path.join(process.argv[2], 'node_modules/@microsoft/jest-sarif');
const Ajv = require(require.resolve('ajv', {paths: [home]}));
const schema = JSON.parse(fs.readFileSync(
  path.join(home, 'lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'));
const ajv = new Ajv({schemaId: 'auto', allErrors: true,
  unknownFormats: 'ignore', logger: false});
ajv.addMetaSchema(require(require.resolve(
  'ajv/lib/refs/json-schema-draft-04.json', {paths: [home]})));
const validate = ajv.compile(schema);
let status = 0;

for (const file of process.argv.slice(3)) {
  const log = JSON.parse(fs.readFileSync(file, 'utf8'));
  if (validate(log)) {
    console.log(`${file}: ${log.runs[0].results.length > 0 ?
      'results' : 'no results'}`);
    continue;
  }
  status = 1;
  for (const e of validate.errors)
    console.log(`${file}: ${e.dataPath} ${e.message}`);
}
process.exit(status);
