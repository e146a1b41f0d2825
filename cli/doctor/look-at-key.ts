import type { Config } from '../../config/config.ts'
import { requireKey, missingKeyWarning } from '../../config/require-key.ts'
import { doubt, faultOf, fine, type Finding } from './finding.ts'

const ABOUT = 'key'
const HINT = 'Set it, or take api_key out of coinlake.yaml where none is meant.'

/** Checks that a key is there. Only the source knows whether it is valid. */
export function lookAtKey(config: Config): Finding {
  try {
    const key = requireKey(config)
    const what = missingKeyWarning(config)
    if (what !== null) return doubt(ABOUT, { what, code: 'NO_KEY', hint: HINT })
    return fine(ABOUT, key === null ? 'none, and none is needed' : 'there')
  } catch (error) {
    return faultOf(ABOUT, error)
  }
}
