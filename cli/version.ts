import { existsSync, readFileSync } from 'node:fs'

/** The package's version. package.json lies one folder above cli/, and two above dist/cli/. */
export const coinlakeVersion: string = readVersion()

function readVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    const url = new URL(path, import.meta.url)
    if (!existsSync(url)) continue
    const pack = JSON.parse(readFileSync(url, 'utf8')) as { name?: string; version?: string }
    if (pack.name === 'coinlake' && pack.version !== undefined) return pack.version
  }
  return '0.0.0'
}
