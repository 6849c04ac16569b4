// speedscope-schema.js NPM FILE...: check files against the schema that
// speedscope publishes in its npm package. Prints what is wrong.
"use strict";
const fs = require("fs");
const path = require("path");
const [npm, ...files] = process.argv.slice(2);
const modules = path.join(npm, "node_modules");
const Ajv = require(path.join(modules, "ajv"));
const schema = JSON.parse(
  fs.readFileSync(
    path.join(modules, "speedscope/dist/release/file-format-schema.json"),
  ),
);
const check = new Ajv({ schemaId: "auto" }).compile(schema);
for (const file of files) {
  if (!check(JSON.parse(fs.readFileSync(file)))) {
    console.log(file, JSON.stringify(check.errors[0]));
  }
}
