import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { EXIT } from '../../config/coinlake-error.ts'
import { generatedPages } from '../../docs/generated-pages.ts'

test.each(generatedPages.map((page) => [page.file, page] as const))(
  '%s is fresh (else run: npm run docs)',
  async (_file, page) => {
    const committed = await readFile(new URL(`../../${page.file}`, import.meta.url), 'utf8')
    expect(committed).toBe(await page.generate())
  },
)

test('docs/cli.md tells every exit code, and no other', async () => {
  const text = await readFile(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  const table = text.slice(text.indexOf('## Exit codes'), text.indexOf('## Environment'))
  const told = [...table.matchAll(/^\| (\d+) \| \w/gm)].map(([, code]) => Number(code))
  expect(told).toEqual(Object.values(EXIT))
})
