import { test } from 'vitest'
import { noDeltaReader, vacuumBySpark } from '../sinks/publish/delta-reader.ts'
import { publishBeside } from '../sinks/publish/publish-beside.ts'

const PUBLISHES = 50
/** On a busy machine Spark starts for a minute, and looks for seconds. */
const TIMEOUT_MS = 3_600_000

test(
  'readers by Spark see whole tables and one moment through 50 publications, a checkpoint and its vacuum',
  async ({ skip }) => {
    const reason = noDeltaReader('spark')
    if (reason !== null) {
      process.stderr.write(`not read by Spark: ${reason}\n`)
      skip(reason)
    }
    await publishBeside('spark', { publishes: PUBLISHES, perLook: 2, halfway: vacuumBySpark })
  },
  TIMEOUT_MS,
)
