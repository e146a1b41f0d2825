import { existsSync, readdirSync, readFileSync } from 'node:fs'

const DIR = new URL('../../../shared/samples/', import.meta.url)

/** Recorded bodies whose file name starts with a prefix: [name, parsed body]. Empty when not there. */
export function samples(prefix: string): [string, unknown][] {
  if (!existsSync(DIR)) {
    console.warn(`recorded responses are not at ${DIR.pathname}: tests over them are left out`)
    return []
  }
  return readdirSync(DIR)
    .filter((name) => name.startsWith(prefix) && name.endsWith('.json'))
    .map((name) => [name, JSON.parse(readFileSync(new URL(name, DIR), 'utf8')) as unknown])
}
