import { required } from '../table/column.ts'
import { ABSENT, EXTRA, OBSERVED_AT, VS_CURRENCY } from '../table/common-columns.ts'
import { snapshotTable } from '../table/snapshot-table.ts'
import type { Column } from '../dataset.ts'
import {
  CATEGORY_FIELDS,
  deploymentFields,
  DETAIL_SECTIONS,
  LINK_LISTS,
  LANGUAGE_FIELDS,
} from './detail-fields.ts'
import { CURRENCY_MAPS } from './detail-market-fields.ts'
import {
  type ChildRows,
  type NestedBody,
  type ParallelParts,
  sectionColumns,
  withChildren,
} from '../record/nested-body.ts'
import { columnsOf, type RecordField, text } from '../record/record-field.ts'

/** The names that details of coins and of tokens do not share. */
export interface DetailNames {
  /** `coin_details`. */
  table: string
  /** Start of the names of child tables: `coin_detail_`. */
  prefix: string
  /** The subject of a row: "one row per coin and observation". */
  subject: string
  ids: readonly Column[]
  /** Prefix of the platform columns; '': none. Needed where `ids` has columns of these names. */
  platformPrefix: string
}

const ORDINAL = required('ordinal', 'integer', "Place in the source's list from 0.")

export function nestedDetailBody(names: DetailNames): NestedBody {
  const { table, subject, ids } = names
  const children = childFacts(names).map((facts) => childRows(names, facts))
  const sections = withChildren(DETAIL_SECTIONS, children)
  const idNames = ids.map(({ name }) => name)
  const parent = snapshotTable({
    name: table,
    description: `The single values of a ${subject}: platform, supply, ranks, changes in USD, links, followers, code and votes. One row per ${subject} and observation. The tables ${names.prefix}* have the values per currency, platform, category, link and language.`,
    key: [...idNames, OBSERVED_AT.name],
    columns: [...ids, ...sectionColumns(sections).filter(({ name }) => !idNames.includes(name))],
    technical: [
      {
        ...ABSENT,
        description:
          'Technical: JSON array of documented keys that the source left out, each with the path of its object. A value that broke a rule counts as left out. NULL when none was left out.',
      },
      {
        ...EXTRA,
        description:
          'Technical: JSON object, nested like the answer. It has all that no column can hold: new keys of the source, objects that were null, and values that their column would give back in another form. NULL when there is none.',
      },
    ],
  })
  return { parent, sections, children, leftOut: ['tickers'] }
}

function childFacts({ subject, platformPrefix }: DetailNames): ChildFacts[] {
  return [
    {
      suffix: 'markets',
      description: `Price, market cap, volume, all-time high and low, and changes of a ${subject} in every currency: one row per ${subject}, currency and observation.`,
      shape: 'map',
      key: VS_CURRENCY,
      stacks: [{ label: '', section: 'market_data', fields: CURRENCY_MAPS }],
    },
    {
      suffix: 'platforms',
      description: `Contracts of a ${subject} on all its platforms: one row per ${subject}, platform and observation. A coin with its own chain has one row whose platform id and address are empty.`,
      shape: 'map',
      key: required(
        `${platformPrefix}platform_id`,
        'string',
        'Id of the asset platform (the chain); empty for a coin with a chain of its own.',
      ),
      stacks: [{ label: '', section: '', fields: deploymentFields(platformPrefix) }],
    },
    {
      suffix: 'categories',
      description: `Categories that a ${subject} is in: one row per ${subject}, place in the lists and observation.`,
      shape: 'list',
      key: ORDINAL,
      stacks: [{ label: '', section: '', fields: CATEGORY_FIELDS }],
    },
    {
      suffix: 'links',
      description: `Addresses of a ${subject} that the source lists: one row per ${subject}, kind of link, place and observation.`,
      shape: 'list',
      key: ORDINAL,
      label: required(
        'kind',
        'string',
        'Kind of link: homepage, blockchain_site, official_forum_url, chat_url, announcement_url, github or bitbucket.',
      ),
      stacks: Object.entries(LINK_LISTS).flatMap(([section, lists]) =>
        lists.map((list): ParallelParts => ({ label: list, section, fields: [linkField(list)] })),
      ),
    },
    {
      suffix: 'texts',
      description: `Name and description of a ${subject} by language: one row per ${subject}, language and observation.`,
      shape: 'map',
      key: required('language', 'string', 'Code of the language, such as en or zh-tw.'),
      stacks: [{ label: '', section: '', fields: LANGUAGE_FIELDS }],
    },
  ]
}

function linkField(list: string): RecordField {
  return text(
    list,
    'The address; empty or NULL where the source fills its list up with empty places.',
    'url',
  )
}

interface ChildFacts extends Omit<ChildRows, 'spec'> {
  suffix: string
  description: string
}

function childRows(
  { prefix, ids }: DetailNames,
  { suffix, description, ...rows }: ChildFacts,
): ChildRows {
  const own = rows.label === undefined ? [rows.key] : [rows.label, rows.key]
  const spec = snapshotTable({
    name: `${prefix}${suffix}`,
    description,
    key: [...ids, ...own, OBSERVED_AT].map(({ name }) => name),
    columns: [...ids, ...own, ...columnsOf(rows.stacks[0]!.fields)],
  })
  return { spec, ...rows }
}
