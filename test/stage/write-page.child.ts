// Writes the sample page into the stage named on the command line; killed by a crash point on the way.
import { openSample, pageOf, ROWS } from './staged-sample.ts'

const [dir] = process.argv.slice(2)
if (dir === undefined) throw new Error('usage: write-page.child.ts <stage folder>')
await openSample(dir).write(pageOf(ROWS))
