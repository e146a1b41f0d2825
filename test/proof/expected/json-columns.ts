/**
 * How a JSON value is read:
 * DOUBLE, BIGINT and BOOLEAN may be sent as text; JSON = as its text; EPOCH_S = seconds since 1970; DECIMAL and DISPLAY = two columns of a number sent
 * as text, the nearest double and `<column>_text`; WHOLE = the same with a whole number; EITHER = DISPLAY
 * that may be sent as a number, which has no text.
 */
export type Reading =
  | 'VARCHAR'
  | 'DOUBLE'
  | 'BIGINT'
  | 'BOOLEAN'
  | 'DATE'
  | 'TIMESTAMPTZ'
  | 'JSON'
  | 'EPOCH_S'
  | 'DECIMAL'
  | 'DISPLAY'
  | 'WHOLE'
  | 'EITHER'

/** Columns of a row: where each stands in the JSON value, if not under its own name. */
export type Sketch = readonly (readonly [column: string, reading: Reading, path?: string])[]

/**
 * A sketch of columns by how they are read: `name`, or `name=path`, with spaces between them. `prefix` stands before all
 * names, `within` before all paths.
 */
export function sketch(
  columns: Partial<Record<Reading, string>>,
  prefix = '',
  within = '',
): Sketch {
  return Object.entries(columns).flatMap(([reading, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name): Sketch[number] => {
        const [column = '', path = column] = name.split('=')
        return [prefix + column, reading as Reading, within + path]
      }),
  )
}

/** The columns of a sketch out of a JSON value, for a SELECT list. */
export function fromJson(sketch: Sketch, value = 'j'): string {
  return sketch
    .map(([column, reading, path = column]) => {
      const at = path === '$' ? `'$'` : `'$${path.startsWith('[') ? '' : '.'}${path}'`
      return read(column, reading, { json: `(${value}->${at})`, text: `(${value}->>${at})` })
    })
    .join(',\n  ')
}

function read(column: string, reading: Reading, { json, text }: Record<'json' | 'text', string>) {
  switch (reading) {
    case 'JSON':
      return `nullif(${json}::VARCHAR, 'null') AS ${column}`
    case 'EPOCH_S':
      return `${instant(`round(${json}::DOUBLE * 1000)`)} AS ${column}`
    case 'DECIMAL':
      return withText(column, `${text}::DOUBLE`, text)
    case 'DISPLAY':
      return withText(column, displayed(text, 'DOUBLE'), text)
    case 'EITHER':
      return withText(
        column,
        displayed(text, 'DOUBLE'),
        `CASE json_type(${json}) WHEN 'VARCHAR' THEN ${text} END`,
      )
    case 'WHOLE':
      return `${displayed(text, 'BIGINT')} AS ${column}, ${text} AS ${column}_text`
    default:
      return `${text}::${reading} AS ${column}`
  }
}

/** Beyond the doubles there is no number, only its text. */
function withText(column: string, number: string, text: string): string {
  return `CASE WHEN isfinite(${number}) THEN ${number} END AS ${column}, ${text} AS ${column}_text`
}

/** $521,967,819 or 0.24 BTC, or what the title of a small price says; a text without a number has none. */
function displayed(text: string, type: string): string {
  const shown = `CASE WHEN contains(${text}, '<sub ') THEN split_part(${text}, '"', 2) ELSE ${text} END`
  return `TRY_CAST(split_part(translate(${shown}, '$,', ''), ' ', 1) AS ${type})`
}

/** The whole body as `j`. */
export const BODY = '(SELECT content::JSON AS j FROM read_text({file}))'

/** The items of a JSON array as `j`, with their place from 0. */
export function items(path: string): string {
  return itemsOf(`j->'${path}'`, BODY)
}

/** The items of a JSON array that an expression over a relation gives, with `id` of what they belong to. */
export function itemsOf(array: string, relation: string, id = 'NULL'): string {
  return `(SELECT unnest(list) AS j, generate_subscripts(list, 1) - 1 AS place, id
    FROM (SELECT (${array})::JSON[] AS list, ${id} AS id FROM ${relation}))`
}

/**
 * Maps (or objects) side by side: a row per key that any of them has, as `key`, and `j` with what each of
 * them has under it.
 */
export function mapsByKey(around: string, names: readonly string[]): string {
  const list = names.map(text).join(', ')
  return `(SELECT entry.key AS key, json_group_object(map.key, entry.value) AS j
    FROM (SELECT ${around} AS maps FROM ${BODY}), json_each(maps) AS map,
      json_each(map.value) AS entry
    WHERE map.key IN (${list}) AND entry.key IS NOT NULL GROUP BY entry.key)`
}

/** A text as SQL. */
export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

/** An instant out of epoch ms. */
export function instant(ms: string): string {
  return `make_timestamptz((${ms})::BIGINT * 1000)`
}

/** The UTC day of an instant. */
export function utcDay(time: string): string {
  return `(${time} AT TIME ZONE 'UTC')::DATE`
}
