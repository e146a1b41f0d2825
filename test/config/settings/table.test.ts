import { describe, expect, test } from 'vitest'
import type { RawValue } from '../../../config/settings/kind.ts'
import { isNamedMap, isSection, type Rows, type Setting } from '../../../config/settings/setting.ts'
import { table } from '../../../config/settings/table.ts'
import { parse } from '../parse.ts'

/** Each setting with its path, and whether a name of the user's choice is part of it. */
function settingsOf(
  rows: Rows,
  path: string,
  isNamed = false,
): { path: string; isNamed: boolean; setting: Setting<unknown> }[] {
  return Object.values(rows).flatMap((row) => {
    const at = path === '' ? row.key : `${path}.${row.key}`
    if (isSection(row)) return settingsOf(row.rows, at, isNamed)
    if (!isNamedMap(row)) return [{ path: at, isNamed, setting: row }]
    return settingsOf({ [row.example]: { ...row.each, key: row.example } }, at, true)
  })
}

const settings = settingsOf(table.rows, '')

describe.each(settings)('$path', ({ setting }) => {
  const { default: fallback, examples = [] } = setting
  const written = [...(fallback === undefined ? [] : [fallback]), ...examples]

  test('says what it is for, and shows how it is written', () => {
    expect(setting.about).toMatch(/^.{10,}\.$/)
    expect(written.length).toBeGreaterThan(0)
  })

  test.each(written.map((value) => [value]))('takes %j', (value: RawValue) => {
    expect(setting.misfitOf(value)).toBeNull()
    const env = { COINLAKE_API_KEY: 'k', COINLAKE_ALERT_WEBHOOK: 'https://chat.example/hook' }
    const meant = setting.parse(value, { by: 'file', dir: '/lake', env })
    expect(setting.show(meant)).not.toBe('')
  })

  test('is shown where nothing is said', () => {
    if (fallback === undefined) expect(setting.show(null)).toMatch(/^\w.*$/)
  })
})

test('every setting is read: `config show` has its value', () => {
  const text = `source: { base_url: "http://127.0.0.1:8400" }
store: { ducklake: { catalog: "sqlite:c.sqlite", data: rows } }
alerts: { command: [page-me] }
`
  const config = parse(text)
  const paths = settings.filter(({ isNamed }) => !isNamed).map(({ path }) => path)
  expect(Object.keys(config.settings).toSorted()).toEqual(paths.toSorted())
})
