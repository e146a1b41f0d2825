import type { Config } from '../../config/config.ts'
import { requireKey } from '../../config/require-key.ts'
import { faultOf, fine } from './finding.ts'
import type { Finding } from './finding.ts'

const ABOUT = 'key'

/** Whether there is a key. Whether it is valid, only the source knows. */
export function lookAtKey(config: Config): Finding {
  try {
    const key = requireKey(config)
    return fine(ABOUT, key === null ? 'none, and none is needed' : 'there')
  } catch (error) {
    return faultOf(ABOUT, error)
  }
}
