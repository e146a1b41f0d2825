import { EXIT } from '../../config/coinlake-error.ts'
import type { CliCommand } from '../command.ts'
import { printResult } from '../effects.ts'
import { addConfigOption, addLimitOption, configOf, limitOf } from './config-options.ts'

export const verify: CliCommand = {
  name: 'verify',
  group: 'Maintain',
  summary:
    'compare store, publications and kept answers with the ledger; exit code 1 when anything differs',
  examples: {
    'coinlake verify':
      'compares rows, values, keys, bounds, grid, order, seams and files; lists each difference with its slice',
    'coinlake verify --repair':
      'publishes anew what differs, and marks damaged slices of the store (exit code 3): `coinlake backfill` fetches exactly them',
  },
  configure(command) {
    addLimitOption(addConfigOption(command), 'differences', 50)
      .option(
        '--repair',
        'mark damaged slices for the next backfill, publish anew what differs, move damaged answers aside',
      )
      .option('--json', 'print all differences as one JSON document')
  },
  async run(effects, _args, options) {
    const limit = limitOf(options)
    const { verifyWarehouse } = await import('../verify/verify-warehouse.ts')
    const { verifyText } = await import('../verify/verify-text.ts')
    const repair = options['repair'] === true
    const found = await verifyWarehouse(effects, await configOf(effects, options), { repair })
    const ok = found.differences.length === 0
    const document = { ok: ok && !found.isStoreHeld, ...found }
    printResult(effects, options, document, () => verifyText(found, limit))
    if (ok) return found.isStoreHeld ? EXIT.busy : EXIT.complete
    const { repaired } = found
    if (repaired === null || repaired.past.length > 0 || repaired.left.length > 0) {
      return EXIT.unexpected
    }
    const ofStore = found.differences.filter(({ place }) => place === 'store')
    if (ofStore.length === 0) return EXIT.complete
    return ofStore.every(({ check }) => check === 'rows') ? EXIT.gaps : EXIT.unexpected
  },
}
