import { durationOr, listOf, word } from './kinds.ts'
import { orderSection } from './order-settings.ts'
import { bucket, catalog, path, place } from './place-kinds.ts'
import { scheduleRows } from './schedule-settings.ts'
import { section, setting } from './setting.ts'
import { addressRows, keyRows, rateRows, sourceRows } from './source-settings.ts'
import { alertRows, freshnessRow, logRows, metricsRows } from './watch-settings.ts'

// Every setting of coinlake.yaml, once: its key, its kind, its default as in the file, and its purpose.
// These rows make the check, the JSON schema, the types, `config show`, `coinlake init` and
// docs/configuration.md. The rows of `source`, schedules, orders and watching have files of their own.

export const placeRows = {
  warehouseDir: setting('warehouse', path, {
    about: 'The folder of the warehouse, relative to this file.',
    default: './warehouse',
    flag: 'warehouse',
    env: 'COINLAKE_WAREHOUSE',
  }),
  sinks: setting('sinks', listOf(word(['duckdb', 'parquet'], 'CONFIG_UNKNOWN_SINK')), {
    about:
      'The publications to make for readers: coinlake.duckdb, and parquet/<table>/. A lake needs none, because readers can open the lake itself.',
    default: ['duckdb', 'parquet'],
  }),
}

export const lakeRows = {
  catalog: setting('catalog', catalog, {
    about:
      'The catalog of the lake. postgres: with the key=value parameters of libpq, or sqlite:FILE on one machine. A password belongs in PGPASSWORD or PGPASSFILE.',
    isRequired: true,
    examples: ['postgres:dbname=lake host=db user=coinlake', 'sqlite:./catalog.sqlite'],
  }),
  data: setting('data', place, {
    about:
      'Place of the rows. A folder that all workers share, relative to this file, or s3://bucket/prefix with the AWS_* environment.',
    isRequired: true,
    examples: ['s3://bucket/lake', '/mnt/lake'],
  }),
}

export const stageRows = {
  at: setting('at', place, {
    isAlternative: true,
    about:
      'A folder that all workers share, or s3://bucket/prefix with the AWS_* environment. A relative path counts from this file.',
    otherwise: "the warehouse's own folder, for one worker",
    none: 'in the warehouse',
    examples: ['s3://bucket/stage', '/mnt/stage'],
  }),
  keep: setting('keep', durationOr(['forever', 'none'], '30d'), {
    about:
      'Time that raw answers stay after their load: forever, none, or a duration. Disk space is cheaper than asking again.',
    default: 'forever',
    examples: ['30d', 'none'],
  }),
}

export const publishRows = {
  every: setting('every', durationOr(['end'], '15m'), {
    about: 'Time between publications of a long run. `end` publishes only at the end of a run.',
    default: '15m',
    examples: ['1h', 'end'],
  }),
}

export const parquetRows = {
  version: setting('version', word(['v1', 'v2']), {
    about: 'Encodings of the Parquet files. v1 is for readers such as Spark before 4.',
    default: 'v2',
  }),
  format: setting('format', word(['tree', 'delta']), {
    about:
      'tree: parquet/<table>/<month>.parquet behind one link. delta: delta/<table> is a Delta Lake table. A bucket always has Delta Lake tables.',
    default: 'tree',
  }),
  bucket: setting('at', bucket, {
    isAlternative: true,
    about:
      's3://bucket/prefix instead of parquet/ in the warehouse, with the AWS_* environment. Each warehouse needs its own prefix; all workers of a lake share one.',
    otherwise: 'in the warehouse',
    examples: ['s3://bucket/tree'],
  }),
}

/** The whole file; any other key is an error. */
export const table = section('', 'The configuration of coinlake.', {
  source: section('source', 'The service the data comes from.', {
    ...addressRows,
    ...keyRows,
    rate: section(
      'rate',
      "Limit of each key. Default: the profile's own limit, or what the service's headers say.",
      rateRows,
    ),
    ...sourceRows,
  }),
  ...placeRows,
  store: section(
    'store',
    'The store of all rows. Default: a DuckDB file in the warehouse, for one worker.',
    {
      ducklake: section(
        'ducklake',
        'A DuckLake, into which many workers load at once, on any number of machines.',
        lakeRows,
      ),
    },
  ),
  stage: section('stage', 'Place of fetched pages before they are loaded.', stageRows),
  publish: section('publish', 'The times of publications.', publishRows),
  parquet: section('parquet', 'The Parquet publication.', parquetRows),
  datasets: {
    key: 'datasets',
    about: 'The datasets to export. `coinlake datasets` lists them.',
    form: 'must be a map of dataset names',
    each: orderSection,
    mayBeList: true,
    example: 'DATASET',
  },
  schedules: {
    key: 'schedules',
    about: 'Times of updates, by name. `coinlake schedule apply` applies them.',
    form: 'must be a map of schedule names',
    each: section('schedules', 'When to bring the warehouse up to date.', scheduleRows),
    example: 'daily',
  },
  freshness: {
    key: 'freshness',
    about:
      'Age from which a dataset or an order (DATASET/NAME) is stale, for `coinlake status --check`.',
    form: 'must be a map of dataset names and durations',
    each: freshnessRow,
    example: 'coins',
  },
  alerts: section('alerts', 'Alerts for failed runs and old data.', alertRows),
  metrics: section(
    'metrics',
    "Metrics of Temporal's workers and of coinlake, from one place. Default: none.",
    metricsRows,
  ),
  log: section('log', 'The log of the processes that work on the warehouse.', logRows),
})
