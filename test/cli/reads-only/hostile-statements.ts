import * as fc from 'fast-check'

/** Places that a hostile statement aims at. */
export interface Targets {
  /** Files with a text that no answer may show. */
  canaries: readonly string[]
  /** Files of the warehouse that must not change, and names beside them that must not appear. */
  prey: readonly string[]
  /** A folder that may be read. */
  allowedDir: string
}

/** Functions that read a file. */
const READERS = `read_text read_blob read_csv read_csv_auto read_json read_json_objects read_ndjson
  read_parquet parquet_scan parquet_metadata parquet_schema parquet_kv_metadata sniff_csv
  glob read_duckdb query_table`
/** Settings that name a place. */
const PLACES = `temp_directory log_query_path profile_output file_search_path secret_directory
  extension_directory home_directory allowed_directories allowed_paths http_logging_output`

/** One of these, made into SQL; a seed gives the same again. */
export function hostileStatement({ canaries, prey, allowedDir }: Targets): fc.Arbitrary<string> {
  const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
  const dodge = fc.constantFrom(
    (path: string) => path,
    (path: string) => `file://${path}`,
    (path: string) => path.replaceAll('/', '//'),
    (path: string) => path.replace(/\/([^/]*)$/, '/./$1'),
    (path: string) => `${allowedDir}/..${path.slice(allowedDir.lastIndexOf('/'))}`,
    (path: string) => `${allowedDir}/${'../'.repeat(12)}${path.slice(1)}`,
    (path: string) => path.replace(/[^/]*$/, '*'),
    (path: string) => `${path.slice(0, -1)}?`,
  )
  const aim = (paths: readonly string[]): fc.Arbitrary<string> =>
    fc.tuple(fc.constantFrom(...paths), dodge).map(([path, change]) => text(change(path)))
  const secret = aim(canaries)
  const target = aim([...prey, ...canaries, `${allowedDir}/new`])
  const option = fc.constantFrom(
    '',
    '(use_tmp_file false)',
    '(format csv, use_tmp_file false)',
    '(format parquet, use_tmp_file false)',
    '(format json)',
  )

  const read = fc.oneof(
    fc
      .tuple(fc.constantFrom(...READERS.split(/\s+/)), secret)
      .map(([name, path]) => `SELECT * FROM ${name}(${path})`),
    secret.map((path) => `FROM ${path}`),
    secret.map((path) => `FROM "${path.slice(1, -1)}"`),
    secret.map((path) => `SELECT * FROM query('FROM read_text(${path.replaceAll("'", "''")})')`),
    secret.map(
      (path) =>
        `FROM json_execute_serialized_sql(json_serialize_sql('FROM read_text(${path.replaceAll("'", "''")})'))`,
    ),
    secret.map((path) => `FROM sqlite_scan(${path}, 'secret')`),
    secret.map((path) => `FROM postgres_scan(${path}, 'public', 'secret')`),
    secret.map((path) => `FROM sql_auto_complete('SELECT * FROM ${path.replaceAll("'", "''")}')`),
    fc
      .constantFrom('http://127.0.0.1:9/x.csv', 's3://lake/x.parquet', 'hf://datasets/a/b.csv')
      .map((url) => `FROM read_csv('${url}')`),
    fc.constant("SELECT getenv('HOME')"),
  )
  const nestedRead = fc
    .tuple(
      read,
      fc.constantFrom(
        (sql: string) => sql,
        (sql: string) => `WITH a AS (${sql}) SELECT * FROM a`,
        (sql: string) => `WITH a AS MATERIALIZED (${sql}) SELECT * FROM a, (SELECT 1)`,
        (sql: string) => `SELECT (SELECT a FROM (${sql}) a LIMIT 1)`,
        (sql: string) => `SELECT 1 WHERE EXISTS (${sql})`,
        (sql: string) => `CREATE OR REPLACE TEMP VIEW w AS ${sql}; FROM w`,
        (sql: string) => `CREATE OR REPLACE TEMP MACRO m() AS TABLE ${sql}; FROM m()`,
        (sql: string) => `CREATE OR REPLACE TEMP TABLE w AS ${sql}; FROM w`,
        (sql: string) =>
          `SET VARIABLE x = (SELECT a FROM (${sql}) a LIMIT 1); SELECT getvariable('x')`,
        (sql: string) => `PREPARE p AS ${sql}; EXECUTE p`,
        (sql: string) => `EXPLAIN ANALYZE ${sql}`,
        (sql: string) => `DESCRIBE ${sql}`,
        (sql: string) => `SUMMARIZE ${sql}`,
        (sql: string) => `SELECT 1 UNION ALL SELECT count(*) FROM (${sql})`,
      ),
    )
    .map(([sql, nest]) => nest(sql))
  const write = fc.oneof(
    fc.tuple(target, option).map(([path, more]) => `COPY (SELECT 1 AS a) TO ${path} ${more}`),
    fc.tuple(target, option).map(([path, more]) => `COPY coins TO ${path} ${more}`),
    target.map(
      (path) =>
        `COPY (SELECT 1 AS a, 2 AS b) TO ${path} (FORMAT csv, PARTITION_BY (a), OVERWRITE_OR_IGNORE)`,
    ),
    target.map((path) => `EXPORT DATABASE ${path}`),
    target.map((path) => `EXPORT DATABASE ${path} (FORMAT parquet)`),
    target.map((path) => `IMPORT DATABASE ${path}`),
    fc
      .tuple(
        target,
        fc.constantFrom(
          '',
          '(READ_WRITE)',
          '(READ_ONLY)',
          '(TYPE sqlite)',
          '(TYPE duckdb, READ_WRITE)',
        ),
      )
      .map(
        ([path, more]) =>
          `ATTACH ${path} AS s ${more}; DELETE FROM s._loads; CREATE TABLE s.x AS SELECT 1`,
      ),
    fc.constant("ATTACH ':memory:' AS m; CREATE TABLE m.x AS SELECT 1; COPY FROM DATABASE m TO m"),
    target.map((path) => `COPY coins FROM ${path}`),
    target.map((path) => `INSTALL httpfs FROM ${path}`),
    target.map((path) => `LOAD ${path}`),
    fc.constantFrom('INSTALL httpfs', 'LOAD httpfs', 'FORCE INSTALL sqlite', 'UPDATE EXTENSIONS'),
    target.map((path) => `CALL enable_logging(storage = 'file', storage_path = ${path}); SELECT 1`),
    target.map(
      (path) =>
        `FROM enable_logging(storage = 'file', storage_config = {'path': ${path}}); SELECT 1`,
    ),
    target.map(
      (path) => `FROM enable_profiling(format = 'json', save_location = ${path}); SELECT 1`,
    ),
    target.map((path) => `PRAGMA profiling_output = ${path}`),
    target.map((path) => `PRAGMA import_database(${path})`),
    fc
      .tuple(fc.constantFrom(...PLACES.split(/\s+/)), target)
      .map(([name, path]) => `SET ${name} = ${path}; SELECT 1`),
    fc
      .constantFrom(
        'enable_external_access',
        'lock_configuration',
        'allowed_configs',
        'allowed_paths',
      )
      .chain((name) =>
        fc.constantFrom(`SET ${name} = true`, `RESET ${name}`, `SET GLOBAL ${name} = false`),
      ),
    fc.constantFrom(
      'CREATE SECRET s (TYPE http, BEARER_TOKEN $$x$$)',
      'CREATE PERSISTENT SECRET s (TYPE http)',
      'DROP SECRET s',
      'FROM duckdb_secrets(redact = false)',
    ),
    fc.constantFrom(
      'CHECKPOINT',
      'FORCE CHECKPOINT',
      'VACUUM',
      'ANALYZE',
      'DELETE FROM coins',
      'DROP VIEW daily_prices',
      'UPDATE coins SET name = $$x$$',
      'CREATE TABLE x AS SELECT 1',
      'INSERT INTO coins SELECT * FROM coins',
      'TRUNCATE coins',
      'ALTER TABLE coins ADD COLUMN x INTEGER',
      'DETACH coinlake',
      'FROM checkpoint()',
      'FROM force_checkpoint()',
    ),
  )
  const disguised = fc
    .tuple(
      write,
      fc.constantFrom(
        (sql: string) => sql,
        (sql: string) =>
          sql.replace(/'[^']*'|[^']+/g, (part) => (part[0] === "'" ? part : part.toLowerCase())),
        (sql: string) => `EXPLAIN ANALYZE ${sql}`,
        (sql: string) => `EXPLAIN (ANALYZE, FORMAT json) ${sql}`,
        (sql: string) => `EXPLAIN /* ) */ (ANALYZE) ${sql}`,
        (sql: string) => `/* /* */ EXPLAIN SELECT 1 -- */ EXPLAIN ANALYZE ${sql}`,
        (sql: string) => `SELECT ';'; ${sql}`,
        (sql: string) => `SELECT E'\\';'; ${sql}; SELECT '`,
        (sql: string) => `SELECT $a$;$a$; ${sql}`,
        (sql: string) => `/* ; */ ${sql} -- ;`,
        (sql: string) => `SELECT 1 -- ' \n; ${sql}`,
        (sql: string) => `PREPARE p AS ${sql}; EXECUTE p`,
        (sql: string) => `COMMIT; ${sql}`,
        (sql: string) => `SET VARIABLE x = 1; ${sql}; SELECT 1`,
        (sql: string) => `WITH a AS (SELECT 1) ${sql}`,
        (sql: string) => `SELECT * FROM query('${sql.replaceAll("'", "''")}')`,
        (sql: string) => `${sql.replaceAll(' ', '\n\t')};;`,
        (sql: string) => `PIVOT coins ON coin_id USING count(*); ${sql}`,
        // Places where DuckDB ends a text, a comment or a name, and a careless scanner does not.
        (sql: string) => `SELECT 'a' LIKE'\\'; ${sql}`,
        (sql: string) => `SELECT 1 --\r; ${sql}`,
        (sql: string) => `SELECT 1 AS a$b$; ${sql}; SELECT 1 AS c$b$`,
      ),
    )
    .map(([sql, disguise]) => disguise(sql))
  return fc.oneof(nestedRead, disguised, disguised)
}
