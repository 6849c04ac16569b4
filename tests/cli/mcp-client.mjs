// mcp-client.mjs NPM ROOT - ask hprof-mcp what a person asks of a leaking
// service, with the client of the protocol's official SDK
//
// Prints one line for each answer.
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const [npm, root] = process.argv.slice(2);
const {resolve} = createRequire(npm + '/node_modules/');
const load = name => import(pathToFileURL(resolve(name)));
const {Client} = await load('@modelcontextprotocol/sdk/client/index.js');
const {StdioClientTransport} =
  await load('@modelcontextprotocol/sdk/client/stdio.js');

const client = new Client({name: 'test', version: '1'});
await client.connect(new StdioClientTransport(
  {command: 'hprof-mcp', args: ['--root=' + root], env: process.env}));
console.log(client.getServerVersion().name, client.getInstructions().length > 0);
const {tools} = await client.listTools();
console.log(tools.map(t => t.name).join(' '));

// The SDK validates the answer; a tool's text must have the same JSON.
const ask = async (question, name, args, pick) => {
  const {content, structuredContent, isError} =
    await client.callTool({name, arguments: args});
  if (content[0].text !== JSON.stringify(structuredContent) &&
      JSON.stringify(JSON.parse(content[0].text)) !==
      JSON.stringify(structuredContent))
    console.log('the text differs from the structure');
  if (content[0].text.length > 100000)
    console.log('a long answer:', content[0].text.length);
  console.log(question, isError ? 'ERROR' : '');
  console.log('  ' + (structuredContent.command || ''));
  console.log('  ' + JSON.stringify(pick(structuredContent)));
};
const file = 'after.hprof.zst', before = 'before.hprof.zst';
await ask('Is the dump complete?', 'validate', {file},
  a => a.result.files[0].verdict);
await ask('What leaks?', 'findings', {file, before},
  a => a.result.suspects.map(s => [s.label, s.path]));
await ask('Which classes grew most?', 'compare', {file, before, limit: 2},
  a => [a.result.rows.map(r => r.key), a.result.rows_more]);
await ask('What keeps the listeners alive?', 'why',
  {file, what: 'Shop$CartListener', limit: 1},
  a => a.result.why.tree.map(s => [s.step, s.children[0].step]));
const found = await client.callTool(
  {name: 'findings', arguments: {file, before}});
const id = found.structuredContent.result.suspects[0].object;
await ask('What is in that list?', 'object', {file, id, limit: 3},
  a => [a.result.object.class, a.result.object.fields.length]);
await ask('What is wasted?', 'waste', {file, limit: 2},
  a => a.result.rows.map(r => r.key));
await ask('Which thread holds most?', 'threads', {file, limit: 1},
  a => a.result.rows.map(r => r.key));
await ask('Can I share it?', 'strip_and_prove', {file, output: 'shared.hprof'},
  a => a.messages[0].replace(/.*: /, ''));
await ask('Does that replace a file?', 'strip_and_prove',
  {file, output: 'shared.hprof'}, a => a.error);
await ask('Can I query it with SQL?', 'tables', {file, folder: 'tables'},
  a => a.exit_status);
for (const path of ['../secret.hprof', '/etc/passwd', 'link.hprof', '.'])
  await ask('Is there ' + path + '?', 'validate', {file: path}, a => a.error);
for (const call of [{name: 'rm', arguments: {}}, {name: 'why', arguments: {file}},
  {name: 'validate', arguments: {file, more: 1}},
  {name: 'validate', arguments: {file: 1}},
  {name: 'compare', arguments: {file, by: '--output=x'}},
  {name: 'compare', arguments: {file, limit: 0}}])
  await client.callTool(call).catch(e => console.log(e.code, e.message));
await client.close();
