// Writes the sample page into the stage named on the command line, and releases it when that is asked for;
// killed by a crash point on the way.
import { diskStage } from '../../stage/disk-stage.ts'
import { KEY, ROWS, pageOf } from './staged-sample.ts'

const [dir, then] = process.argv.slice(2)
if (dir === undefined) throw new Error('usage: write-page.child.ts <stage folder> [release]')
const stage = diskStage({ dir, keep: 'forever' })
await stage.write(pageOf(ROWS))
if (then === 'release') await stage.release(KEY.sliceId, KEY.generation)
