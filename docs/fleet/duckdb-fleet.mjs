// duckdb-fleet.mjs ROWS... - load rows into DuckDB and query them
//
// Prints the answers of sql-queries.sql. The database is temporary.
//
//   DUCKDB_NPM=DIR        the folder where npm has installed @duckdb/node-api
//   DUCKDB_TABLES=DIR     also load DIR, an output of hprof-convert --to=tables
//   DUCKDB_RETAINED=no    skip tables-retained.sql, which takes long
//   DUCKDB_PARQUET=DIR    write the tables' edges and objects to DIR as Parquet
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const parquet = process.env.DUCKDB_PARQUET &&
    resolve(process.env.DUCKDB_PARQUET);
const npm = resolve(process.env.DUCKDB_NPM || here);
const { DuckDBInstance } = createRequire(join(npm, 'x'))('@duckdb/node-api');
const work = mkdtempSync(join(tmpdir(), 'duckdb-fleet-'));
const instance = await DuckDBInstance.create(join(work, 'fleet.db'),
    { threads: '2', memory_limit: '2GB' });
const db = await instance.connect();

const text = (path) => readFileSync(path, 'utf8');
const quoted = (path) => `'${resolve(path).replaceAll("'", "''")}'`;
// Each statement of our files ends with a semicolon at the end of a line.
const statements = (sql) => sql.replace(/^--.*\n/gm, '').split(/;\n/)
    .filter((s) => s.trim());
async function print(sql) {
    for (const s of statements(sql)) {
        const result = await db.run(s);
        if (!/^\s*(--.*\n)*\s*SELECT/.test(s))
            continue;
        const rows = await result.getRows();
        for (const r of rows)
            console.log(r.map(String).join('\t'));
    }
}

const columns = `kind: 'VARCHAR', dump_id: 'VARCHAR', path: 'VARCHAR',
    partial: 'UTINYINT', service: 'VARCHAR', host: 'VARCHAR',
    version: 'VARCHAR', tool: 'VARCHAR', verdict: 'VARCHAR', class: 'VARCHAR', count: 'BIGINT',
    bytes: 'BIGINT', rule: 'VARCHAR', severity: 'VARCHAR', damage: 'UTINYINT',
    dump: 'UINTEGER'`;
const files = process.argv.slice(2).flatMap((d) =>
    ['classes.ndjson', 'checks.ndjson'].map((f) => quoted(join(d, f))));
// A row that is loaded again replaces the row that was loaded first.
await db.run(`CREATE TABLE rows AS SELECT DISTINCT ON
    (kind, dump_id, dump, path, tool, class, rule, severity) *
    FROM read_ndjson([${files}], columns = {${columns}})`);
await print(text(join(here, 'sql-queries.sql')));

if (process.env.DUCKDB_TABLES) {
    process.chdir(process.env.DUCKDB_TABLES);
    for (const s of statements(text('schema.duckdb.sql')))
        await db.run(s);
    await print(text(join(here, 'tables-holders.sql')));
    if (process.env.DUCKDB_RETAINED !== 'no')
        await print(text(join(here, 'tables-retained.sql')));
    await db.run('CHECKPOINT');
    console.error(`size\t${statSync(join(work, 'fleet.db')).size}`);
}
if (parquet) {
    for (const t of ['edges', 'objects']) {
        const out = join(parquet, `${t}.parquet`);
        await db.run(`COPY ${t} TO ${quoted(out)} (FORMAT parquet,
            COMPRESSION zstd)`);
        await print(`SELECT 'parquet', '${t}', '', count(*)
            FROM read_parquet(${quoted(out)})`);
    }
}
db.closeSync();
instance.closeSync();
rmSync(work, { recursive: true });
