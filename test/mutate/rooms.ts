/** A room whose mutants `npm run mutate` looks at. */
interface Room {
  /** Its source files, as patterns; one that begins with `!` leaves files out. */
  mutate: readonly string[]
  /** Tests of other folders that prove it, too. */
  besides?: readonly string[]
  /** Tests of its own folder that start processes or Temporal, or take seconds for each mutant. */
  except?: readonly string[]
  /** Tests that take longer, after the others: a mutant is done with at its first failure. */
  last?: readonly string[]
}

export const ROOMS: Readonly<Record<string, Room>> = {
  api: {
    mutate: ['api/**/*.ts'],
    besides: ['test/service/profiles.test.ts'],
    last: ['redirect', 'response-body', 'client', 'profiles'],
  },
  plan: { mutate: ['plan/**/*.ts'], except: ['on-time'], last: ['repeat-price'] },
  datasets: { mutate: ['datasets/**/*.ts'] },
  stage: {
    // Buckets are proven by test/scale, with a service of their own.
    mutate: ['stage/**/*.ts', '!stage/s3-files.ts'],
    except: ['crash', 'disk-full'],
    last: ['open-stage'],
  },
  'sinks/duckdb-store': {
    mutate: ['sinks/{*,duckdb-store/**/*,ledger/*,replay/*}.ts', '!sinks/duckdb-store/lake/**'],
    besides: ['test/sinks/*.test.ts'],
    except: ['more-memory', 'many-rows', 'fresh-slices', 'on-time'],
  },
  'sinks/verify': {
    // Publications alone have what verify-tree.ts reads; test/cli/verify proves it.
    mutate: ['sinks/verify/*.ts', '!sinks/verify/verify-tree.ts'],
    besides: [
      'test/sinks/duckdb-store/contents.test.ts',
      'test/sinks/publish/newest-tables.test.ts',
    ],
    last: ['contents', 'newest-tables'],
  },
  'sinks/publish': {
    mutate: ['sinks/{publish*,newest,views}/*.ts'],
    besides: ['test/sinks/views/*.test.ts'],
    except: ['readers'],
    last: ['newest-tables', 'delta-publication', 'figure-views'],
  },
  workflows: {
    // The rest of the room runs inside of Temporal only.
    mutate: ['workflows/{due-slices,run-pace,share-month,steer-budget}.ts'],
    except: [
      'export-run',
      'lost-workers',
      'priorities',
      'publish-in-rhythm',
      'replay',
      'start-run',
    ],
  },
  // Crash points fire in processes that are killed.
  config: {
    mutate: ['config/**/*.ts', '!config/crash-point.ts'],
    besides: ['test/stage/open-stage.test.ts'],
    last: ['open-stage'],
  },
}
