import { expect, test } from 'vitest'
import { parseConfig } from '../../config/load-config.ts'
import { datasets } from '../../datasets/index.ts'
import { pages } from './page-text.ts'

const HEAD = 'source: { base_url: "http://127.0.0.1:8400" }\n'
const DATASETS = 'datasets: { coin_markets: {}, market_chart: {}, coins: {} }\n'
/** Adds the sections that an example leaves out, because a file cannot be loaded without them. */
function whole(text: string): string {
  const has = (section: string): boolean => new RegExp(`^${section}:`, 'm').test(text)
  return `${has('source') ? '' : HEAD}${has('datasets') ? '' : DATASETS}${text}`
}

const FILES = [
  'README.md',
  ...['configuration', 'operating', 'watching', 'living'].map((name) => `docs/${name}.md`),
]

const examples = FILES.flatMap((file) => {
  const page = pages().find((one) => one.file === file)
  return (page?.code ?? []).filter(({ language }) => language === 'yaml')
})

test('each page has examples', () => {
  expect(new Set(examples.map(({ where }) => where.split(':')[0])).size).toBe(FILES.length)
  expect(examples.length).toBeGreaterThanOrEqual(7)
})

test.each(examples.map(({ where, text }) => [where, text]))('%s loads', (where, text) => {
  const env = { COINLAKE_ALERT_WEBHOOK: 'https://chat.example/hooks/1' }
  const config = parseConfig({ file: where, env, datasets }, whole(text))
  expect(config.file).toBe(where)
})
