import type { Profile } from '../../config/profiles.ts'
import { isLoopbackAddress } from '../../service/serve-http.ts'
import { say, type Effects } from '../effects.ts'

export interface Served {
  url: string
  host: string
  /** The served data and its keys, for people. */
  about: string
  profile: Profile
  /** Whether each operation has data, as in the simulated market. */
  isWhole: boolean
  hasKeys: boolean
  /** A certificate that was made here, and that clients must be told to trust; null = none. */
  certFile: string | null
}

/** Says on stderr which data are served, and a command that asks for some. Shows no key. */
export function sayServed(effects: Effects, served: Served): void {
  const { url, profile, certFile } = served
  const template = profile.auth.template.replace('{key}', '$KEY')
  const header = served.hasKeys ? ` -H "${profile.auth.header}: ${template}"` : ''
  const path = served.isWhole
    ? `${profile.basePath}/coins/markets?vs_currency=usd&per_page=3`
    : '/openapi.json'
  const trust = certFile === null ? '' : ` --cacert ${certFile}`
  say(effects, `serving ${served.about}`)
  say(effects, `  curl${trust}${header} '${url}${path}'`)
  if (url.startsWith('http:') && !isLoopbackAddress(served.host)) {
    say(effects, 'warning: keys travel in the clear over http; serve https with --tls')
  }
  say(effects, 'Ctrl-C stops')
}
