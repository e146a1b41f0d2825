import type { Config } from '../../config/config.ts'
import { type LoadConfigInput, parseConfig } from '../../config/load-config.ts'
import { problemsOf } from './problems-of.ts'
import { shapes } from './shapes.ts'

/** The configuration of a text in `/base/c.yaml`, unless told otherwise. */
export function parse(text: string, input: Partial<LoadConfigInput> = {}): Config {
  const place = { file: 'c.yaml', cwd: '/base' }
  return parseConfig({ ...place, env: {}, datasets: shapes, ...input }, text)
}

/** Its problems: problems-of.ts. */
export const problemsIn = (text: string, input: Partial<LoadConfigInput> = {}): string[] =>
  problemsOf(() => parse(text, input))
