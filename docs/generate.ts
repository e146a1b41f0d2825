// npm run docs: writes every generated file and prints which ones changed.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { generatedPages } from './generated-pages.ts'

for (const page of generatedPages) {
  const path = fileURLToPath(new URL(`../${page.file}`, import.meta.url))
  const text = await page.generate()
  const before = await readFile(path, 'utf8').catch(() => null)
  if (before !== text) await writeFile(path, text)
  console.log(`${page.file}: ${before === text ? 'fresh' : 'written'}`)
}
