import { type Sketch, sketch } from './json-columns.ts'

/** The logo; a history has two sizes, details have three. */
export const IMAGES: Sketch = ['thumb', 'small', 'large'].map((size) => [
  `image_${size}`,
  'VARCHAR',
  `image.${size}`,
])

/** The object community_data. */
export const COMMUNITY = sketch({
  BIGINT: `community_facebook_likes=community_data.facebook_likes
      community_twitter_followers=community_data.twitter_followers
      community_reddit_subscribers=community_data.reddit_subscribers
      community_telegram_channel_user_count=community_data.telegram_channel_user_count`,
  DOUBLE: `community_reddit_average_posts_48h=community_data.reddit_average_posts_48h
      community_reddit_average_comments_48h=community_data.reddit_average_comments_48h`,
  NUMBER: `
      community_reddit_accounts_active_48h=community_data.reddit_accounts_active_48h`,
})

const COUNTS = [
  'forks',
  'stars',
  'subscribers',
  'total_issues',
  'closed_issues',
  'pull_requests_merged',
  'pull_request_contributors',
  'commit_count_4_weeks',
]

/** The object developer_data. */
export const DEVELOPER: Sketch = [
  ...COUNTS.map((key) => [`developer_${key}`, 'BIGINT', `developer_data.${key}`] as const),
  [
    'developer_last_4_weeks_commit_activity_series',
    'JSON',
    'developer_data.last_4_weeks_commit_activity_series',
  ],
  ...['additions', 'deletions'].map(
    (key) =>
      [
        `developer_code_4_weeks_${key}`,
        'BIGINT',
        `developer_data.code_additions_deletions_4_weeks.${key}`,
      ] as const,
  ),
]

/** The object public_interest_stats, not sent since 2023. */
export const PUBLIC_INTEREST: Sketch = [
  ['public_interest_alexa_rank', 'BIGINT', 'public_interest_stats.alexa_rank'],
  ['public_interest_bing_matches', 'BIGINT', 'public_interest_stats.bing_matches'],
]
