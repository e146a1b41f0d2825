import type { Form, Json } from './kind.ts'

const isText = (value: unknown): boolean => typeof value === 'string'

function form(json: Json, what: string, fits: (value: unknown) => boolean): Form {
  return { json, misfitOf: (value) => (fits(value) ? null : what) }
}

/** @param more keywords of JSON Schema, such as a pattern, so that editors check what `parse` checks */
export function text(more: Json = {}): Form {
  return form({ type: 'string', ...more }, 'must be text', isText)
}

export function wholeNumber(minimum: number, maximum: number): Form {
  const what = `must be a whole number from ${minimum} to ${maximum}`
  return form({ type: 'integer', minimum, maximum }, what, (value) => {
    return Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum
  })
}

export const YES_OR_NO = form(
  { type: 'boolean' },
  'must be true or false',
  (value) => typeof value === 'boolean',
)

export const TEXT_OR_NUMBER = form(
  { type: ['string', 'number'] },
  'must be a port, or host:port',
  (value) => isText(value) || Number.isFinite(value),
)

const LIST_JSON = { type: 'array', items: { type: 'string' } }

export function textOrList(what: string): Form {
  return form({ anyOf: [{ type: 'string' }, LIST_JSON] }, what, (value) => {
    return isText(value) || (Array.isArray(value) && value.every(isText))
  })
}

export function list(what: string): Form {
  return form({ ...LIST_JSON, minItems: 1 }, what, (value) => {
    return Array.isArray(value) && value.length > 0 && value.every(isText)
  })
}
