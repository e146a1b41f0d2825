import { MAX_ITEMS, MAX_VALUE_CHARS, type Param } from '../../api/operations/describe-operation.ts'
import type { DateFormat } from '../../config/profiles.ts'
import type { JsonSchema } from './body-schema.ts'

/** A text without control characters. */
const TEXT_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]+$'
const ITEM_PATTERN = '^[^,\\u0000-\\u001f\\u007f-\\u009f]+$'
const CURRENCY_PATTERN = '^[a-z0-9]{1,20}$'
const DATE_PATTERNS: Readonly<Record<DateFormat, string>> = {
  'yyyy-mm-dd': '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
  'dd-mm-yyyy': '^[0-9]{2}-[0-9]{2}-[0-9]{4}$',
}

/** Key of the parameter in `components.parameters`. */
export const ACCEPT_ENCODING_KEY = 'AcceptEncoding'

export const acceptEncoding: JsonSchema = {
  name: 'Accept-Encoding',
  in: 'header',
  required: false,
  description:
    'The service compresses with gzip; any other value gives an answer that is not compressed.',
  schema: { type: 'string' },
  example: 'gzip',
}

export function parameterObject(param: Param, dateFormat: DateFormat): JsonSchema {
  const schema = valueSchema(param, dateFormat)
  return {
    name: param.name,
    in: param.in,
    required: param.required,
    description: param.description,
    // A list is one value with commas, not several values of one name.
    ...(param.type === 'csv' ? { style: 'form', explode: false } : {}),
    schema:
      param.default === undefined ? schema : { ...schema, default: typed(param, param.default) },
    ...(param.example === undefined ? {} : { example: exampleOf(param, dateFormat) }),
  }
}

function valueSchema(param: Param, dateFormat: DateFormat): JsonSchema {
  switch (param.type) {
    case 'integer':
    case 'epoch_s':
      return { type: 'integer', minimum: param.min ?? 0, maximum: param.max }
    case 'days':
      return daysSchema(param)
    case 'boolean':
      return { type: 'boolean' }
    case 'csv':
      return {
        type: 'array',
        items: textSchema(param, ITEM_PATTERN),
        minItems: 1,
        maxItems: param.maxItems ?? MAX_ITEMS,
      }
    case 'date':
      return dateFormat === 'yyyy-mm-dd'
        ? { type: 'string', format: 'date', pattern: DATE_PATTERNS[dateFormat] }
        : { type: 'string', pattern: DATE_PATTERNS[dateFormat] }
    default:
      return textSchema(param, TEXT_PATTERN)
  }
}

function textSchema(param: Param, pattern: string): JsonSchema {
  if (param.allowed !== undefined) return { type: 'string', enum: param.allowed }
  if (param.isCurrency === true) return { type: 'string', pattern: CURRENCY_PATTERN }
  return { type: 'string', minLength: 1, maxLength: MAX_VALUE_CHARS, pattern }
}

function daysSchema(param: Param): JsonSchema {
  if (param.allowed !== undefined) {
    const values = param.allowed.map((value) => (value === 'max' ? value : Number(value)))
    return values.includes('max') ? { enum: values } : { type: 'integer', enum: values }
  }
  return {
    anyOf: [{ type: 'integer', minimum: 1, maximum: param.max }, { const: 'max' }],
  }
}

function typed(param: Param, value: string): unknown {
  if (param.type === 'boolean') return value === 'true'
  if (param.type === 'csv') return value.split(',')
  return /^\d+$/.test(value) && param.type !== 'string' ? Number(value) : value
}

function exampleOf(param: Param, dateFormat: DateFormat): unknown {
  const example = param.example ?? ''
  return param.type === 'date' && dateFormat === 'dd-mm-yyyy'
    ? example.split('-').toReversed().join('-')
    : typed(param, example)
}
