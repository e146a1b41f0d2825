import { stopSignal } from '../../../cli/run/stop-signal.ts'
import { processEffects } from '../../../cli/effects.ts'

// A command whose thread is busy for good, or free: the word says which.
const stop = stopSignal(processEffects(), () => process.stdout.write('stopping\n'))
setTimeout(() => {
  process.stdout.write('begun\n')
  if (process.argv[2] === 'busy') while (!stop.aborted);
}, 500)
setInterval(() => undefined, 1_000)
