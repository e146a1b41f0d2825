import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { print, printJson } from '../effects.ts'
import { addConfigOption } from './config-options.ts'

/** Looks at everything a run needs before it is made, and says what to do. */
export const doctor: CliCommand = {
  name: 'doctor',
  group: 'Start',
  summary: 'check configuration, key, source, clock, Temporal, disk, store and publications',
  examples: {
    'coinlake doctor': 'looks at what a run needs; makes two calls a key at most',
    'coinlake doctor -c prod.yaml --json':
      'prints what was found as JSON; the exit code is that of the first fault',
  },
  configure(command) {
    addConfigOption(command).option('--json', 'print the findings as a JSON array')
  },
  async run(effects, _args, options) {
    const { examine } = await import('../doctor/examine.ts')
    const findings = await examine(effects, options)
    if (options['json'] === true) {
      printJson(effects, findings)
    } else {
      const { doctorLines } = await import('../doctor/doctor-text.ts')
      print(effects, doctorLines(findings))
    }
    return findings.find(({ verdict }) => verdict === 'fault')?.exitCode ?? EXIT.complete
  },
}
