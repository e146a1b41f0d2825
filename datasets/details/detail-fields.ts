import { column } from '../table/column.ts'
import { COIN_ID } from '../table/common-columns.ts'
import { MARKET_SCALARS, RANK_FIELDS } from './detail-market-fields.ts'
import type { Section } from '../record/nested-body.ts'
import { IMAGE_SECTION, POPULARITY_SECTIONS, prefixed } from './popularity-sections.ts'
import {
  amount,
  count,
  field,
  flag,
  text,
  time,
  type RecordField,
  json,
} from '../record/record-field.ts'

const TOP: readonly RecordField[] = [
  field('id', COIN_ID),
  text(
    'symbol',
    'Ticker symbol at that moment, lower case. Never join on it: it is not unique, may be empty, and can be a word like null or true.',
  ),
  text('name', 'Display name at that moment.'),
  text('web_slug', "Last part of the coin's address on the website of the source."),
  text('asset_platform_id', 'Id of the platform the coin lives on; NULL for a chain of its own.'),
  amount(
    'block_time_in_minutes',
    'minutes',
    'Time between two blocks; 0 for a coin without blocks.',
  ),
  text('hashing_algorithm', 'How blocks are hashed, such as SHA-256; NULL for most coins.'),
  flag('preview_listing', 'Whether the coin is announced and not traded yet.'),
  text('public_notice', 'Warning of the source for everybody; NULL for most.'),
  json('additional_notices', 'JSON array of further warnings; nearly always empty.'),
  flag('has_supply_breakdown', 'Whether the source tells in detail who holds the supply.'),
  text('country_origin', 'Country of origin as a code of two letters; mostly empty.'),
  field('genesis_date', {
    type: 'date',
    unit: 'UTC',
    description: 'Day of the first block or of the launch; NULL for most coins.',
  }),
  {
    ...text(
      'contract_address',
      'Address of the contract on asset_platform_id, EVM addresses in lower case; NULL for a coin with a chain of its own.',
    ),
    isAddress: true,
  },
  amount('sentiment_votes_up_percentage', 'percent', 'Share of visitors who voted up.'),
  amount('sentiment_votes_down_percentage', 'percent', 'Share of visitors who voted down.'),
  json('ico_data', 'JSON object about the public sale; few coins have it.'),
  count('watchlist_portfolio_users', 'users', 'Visitors who watch or hold the coin at the source.'),
  ...RANK_FIELDS,
  json('status_updates', 'JSON array of news of the project; empty in every recorded answer.'),
  time(
    'last_updated',
    'last_updated_at',
    'millis',
    'When the source last computed the details. Old means stale, whatever observed_at says.',
  ),
]

const LINKS: readonly RecordField[] = prefixed('links_', [
  text('whitepaper', 'Address of the white paper; can be empty.'),
  text('snapshot_url', 'Address of the votes of the project at Snapshot.'),
  text('twitter_screen_name', 'Name at Twitter; can be empty.'),
  text('facebook_username', 'Name at Facebook; can be empty.'),
  count('bitcointalk_thread_identifier', null, 'Number of the thread at Bitcointalk.'),
  text('telegram_channel_identifier', 'Name of the channel at Telegram; can be empty.'),
  text('subreddit_url', 'Address of the forum at Reddit.'),
])

/** The objects of a detail body whose single values fill the one row. */
export const DETAIL_SECTIONS: readonly Section[] = [
  { path: '', fields: TOP },
  { path: 'links', fields: LINKS },
  { path: 'links.repos_url', fields: [] },
  IMAGE_SECTION,
  { path: 'market_data', fields: MARKET_SCALARS },
  ...POPULARITY_SECTIONS,
]

/** The source sends the address twice, the second time with decimal_place. @param prefix of the address's column */
export const deploymentFields = (prefix: string): readonly RecordField[] => [
  field(
    'platforms',
    column(
      `${prefix}contract_address`,
      'string',
      'Address of the token on the platform, EVM addresses in lower case; empty for a coin with a chain of its own.',
    ),
    { isAddress: true },
  ),
  count(
    'detail_platforms.decimal_place',
    'digits',
    'Digits behind the point in amounts of the contract; NULL where unknown.',
    'decimal_place',
  ),
  field(
    'detail_platforms.contract_address',
    column(
      'detail_contract_address',
      'string',
      'The address again, from the object that has decimal_place.',
    ),
    { isAddress: true },
  ),
  text(
    'detail_platforms.geckoterminal_url',
    'URL of a chart of the token; NULL where there is none.',
    'geckoterminal_url',
  ),
]

export const CATEGORY_FIELDS: readonly RecordField[] = [
  text('categories', 'Name of the category at this place of the plain list.', 'category_name'),
  text(
    'categories_details.id',
    'Id of the category at this place of the list with ids; joins to categories. Its name is in category_id_name, not in category_name: the two lists may differ in order.',
    'category_id',
  ),
  text(
    'categories_details.name',
    'Name of the category with the id category_id.',
    'category_id_name',
  ),
]

export const LANGUAGE_FIELDS: readonly RecordField[] = [
  text('localization', 'Name of the coin in the language; can be empty.', 'localized_name'),
  text(
    'description',
    'Words about the coin in the language, with line breaks and HTML; can be empty.',
  ),
]

export const LINK_LISTS: Readonly<Record<string, readonly string[]>> = {
  links: ['homepage', 'blockchain_site', 'official_forum_url', 'chat_url', 'announcement_url'],
  'links.repos_url': ['github', 'bitbucket'],
}
