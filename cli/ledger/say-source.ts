import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { say } from '../effects.ts'
import type { Effects } from '../effects.ts'
import type { OpenLedger } from './open-ledger.ts'

/** Says on stderr what a person would not expect of the ledger that was opened; a path may be mistyped. */
export function saySource(effects: Effects, ledger: OpenLedger, paths: WarehousePaths): void {
  if (ledger.note !== null) say(effects, ledger.note)
  else if (ledger.source === 'none') say(effects, `there is no warehouse at ${paths.root} yet`)
}
