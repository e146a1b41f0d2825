import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { printResult } from '../effects.ts'
import { addConfigOption } from './config-options.ts'

export const doctor: CliCommand = {
  name: 'doctor',
  group: 'Start',
  summary: 'check configuration, key, source, clock, Temporal, disk, store and publications',
  examples: {
    'coinlake doctor': 'checks what a run needs; makes at most two calls for each key',
    'coinlake doctor -c prod.yaml --json':
      'prints the findings as JSON; the exit code is that of the first fault',
  },
  configure(command) {
    addConfigOption(command).option('--json', 'print the findings as a JSON array')
  },
  async run(effects, _args, options) {
    const { examine } = await import('../doctor/examine.ts')
    const { doctorLines } = await import('../doctor/doctor-text.ts')
    const findings = await examine(effects, options)
    printResult(effects, options, findings, () => doctorLines(findings))
    return findings.find(({ verdict }) => verdict === 'fault')?.exitCode ?? EXIT.complete
  },
}
