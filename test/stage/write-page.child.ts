// Writes the sample page into the stage named on the command line; killed by a crash point on the way.
import { diskStage } from '../../stage/disk-stage.ts'
import { ROWS, pageOf } from './staged-sample.ts'

const dir = process.argv[2]
if (dir === undefined) throw new Error('usage: write-page.child.ts <stage folder>')
await diskStage({ dir, keep: 'forever' }).write(pageOf(ROWS))
