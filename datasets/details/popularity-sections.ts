import type { Section } from '../record/nested-body.ts'
import { amount, count, field, type RecordField, text, json } from '../record/record-field.ts'

/** Puts the section's prefix before its columns. A name like `stars` says too little alone. */
export function prefixed(prefix: string, fields: readonly RecordField[]): RecordField[] {
  return fields.map((one) => ({
    ...one,
    column: { ...one.column, name: `${prefix}${one.column.name}` },
  }))
}

const COMMUNITY: readonly RecordField[] = [
  count('facebook_likes', 'users', 'Likes on Facebook; NULL for nearly every coin.'),
  count('twitter_followers', 'users', 'Followers on Twitter; not sent since May 2025.'),
  amount(
    'reddit_average_posts_48h',
    'posts',
    'Average of new posts on Reddit over 48 hours; mostly 0 since 2023, which means unknown.',
  ),
  amount(
    'reddit_average_comments_48h',
    'comments',
    'Average of new comments on Reddit over 48 hours; mostly 0 since 2023, which means unknown.',
  ),
  count(
    'reddit_subscribers',
    'users',
    'Subscribers on Reddit; mostly 0 since 2023, which means unknown.',
  ),
  field(
    'reddit_accounts_active_48h',
    {
      type: 'double',
      unit: 'users',
      description:
        'Accounts active on Reddit over 48 hours; mostly 0 since 2023, which means unknown. For old dates the source sends text, which is kept in _extra.',
    },
    { mayBeText: true },
  ),
  count('telegram_channel_user_count', 'users', 'Members of the Telegram channel.'),
]

const DEVELOPER: readonly RecordField[] = [
  count('forks', 'forks', 'Forks of the source repositories.'),
  count('stars', 'stars', 'Stars of the source repositories.'),
  count('subscribers', 'users', 'Watchers of the source repositories.'),
  count('total_issues', 'issues', 'Issues ever opened.'),
  count('closed_issues', 'issues', 'Issues closed.'),
  count('pull_requests_merged', 'pull requests', 'Pull requests merged.'),
  count('pull_request_contributors', 'users', 'Authors of pull requests.'),
  count('commit_count_4_weeks', 'commits', 'Commits of the last 4 weeks.'),
  json(
    'last_4_weeks_commit_activity_series',
    'JSON array of the commits by day of the last 4 weeks; empty where unknown.',
    'commits per day',
  ),
]

const CODE_CHANGES: readonly RecordField[] = [
  count('additions', 'lines', 'Lines of code added in the last 4 weeks.'),
  count('deletions', 'lines', 'Lines of code removed in the last 4 weeks: a negative number.'),
]

const PUBLIC_INTEREST: readonly RecordField[] = [
  count('alexa_rank', null, 'Rank of the website at Alexa, which ended in 2022; NULL since.'),
  count('bing_matches', 'pages', 'Pages found by Bing; NULL for nearly every coin.'),
]

/** The objects that details and history share. */
export const POPULARITY_SECTIONS: readonly Section[] = [
  { path: 'community_data', fields: prefixed('community_', COMMUNITY) },
  { path: 'developer_data', fields: prefixed('developer_', DEVELOPER) },
  {
    path: 'developer_data.code_additions_deletions_4_weeks',
    fields: prefixed('developer_code_4_weeks_', CODE_CHANGES),
  },
  { path: 'public_interest_stats', fields: prefixed('public_interest_', PUBLIC_INTEREST) },
]

export const IMAGE_SECTION: Section = {
  path: 'image',
  fields: prefixed('image_', [
    text('thumb', 'URL of the logo, smallest.'),
    text('small', 'URL of the logo, middle size.'),
    text('large', 'URL of the logo, largest.'),
  ]),
}
