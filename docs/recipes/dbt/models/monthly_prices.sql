-- How every coin closed, month by month.
select
  coin_id,
  vs_currency,
  date_trunc('month', close_of_date)::date as month,
  count(*) as days,
  round(min(price), 2) as low,
  round(avg(price), 2) as mean,
  round(max(price), 2) as high
from {{ source('coinlake', 'daily_prices') }}
group by all
order by coin_id, vs_currency, month
