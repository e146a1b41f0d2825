import type { Config } from '../../config/config.ts'
import { requireKey, withoutKeyText } from '../../config/require-key.ts'
import { doubt, faultOf, fine } from './finding.ts'
import type { Finding } from './finding.ts'

const ABOUT = 'key'
const HINT = 'Set it, or take api_key out of coinlake.yaml where none is meant.'

/** Whether there is a key. Whether it is valid, only the source knows. */
export function lookAtKey(config: Config): Finding {
  try {
    const key = requireKey(config)
    const what = withoutKeyText(config)
    if (what !== null) return doubt(ABOUT, { what, code: 'NO_KEY', hint: HINT })
    return fine(ABOUT, key === null ? 'none, and none is needed' : 'there')
  } catch (error) {
    return faultOf(ABOUT, error)
  }
}
