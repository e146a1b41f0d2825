"""A coinlake warehouse as assets of Dagster: dagster dev -f lake.py, with LAKE = the folder of coinlake.yaml."""

import json
import os
import subprocess

import dagster as dg
import duckdb

LAKE = os.environ.get("LAKE", ".")
# Exit codes of coinlake (docs/cli.md).
COMPLETE, CONFIG, GAPS, SOURCE, BUSY = 0, 2, 3, 4, 6
MINUTE = 60


def backfill(context: dg.AssetExecutionContext, *words: str) -> dg.MaterializeResult:
    """One run to its end. Its words go to the log; killed with the step, the next one goes on where it ended."""
    command = ["npx", "coinlake", "backfill", "--json", *words]
    ended = subprocess.run(command, cwd=LAKE, stdout=subprocess.PIPE, text=True)
    code = ended.returncode
    if code == BUSY:
        raise dg.RetryRequested(max_retries=30, seconds_to_wait=MINUTE)
    report = json.loads(ended.stdout or "{}")
    if code not in (COMPLETE, GAPS):
        error = (report.get("error") or report.get("fatal") or {}).get("code", "see the log of the step")
        # What mends itself is tried again; a wrong configuration, or a key that is refused, is not.
        is_final = code in (CONFIG, SOURCE) and error != "SOURCE_UNREACHABLE"
        raise dg.Failure(f"coinlake ended with {code}: {error}", allow_retries=not is_final)
    if code == GAPS:
        context.log.warning("with gaps: %s", report["failures"] or report["fatal"])
    facts = {name: report[name] for name in ("verdict", "calls", "rows", "runId")}
    return dg.MaterializeResult(metadata={**facts, "slices": report["slices"]})


asset = dict(retry_policy=dg.RetryPolicy(max_retries=3, delay=MINUTE), pool="coinlake")


@dg.asset(**asset)
def lake(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
    """All that coinlake.yaml asks for and that is missing, gaps and provisional points too."""
    return backfill(context)


@dg.asset(
    **asset,
    partitions_def=dg.MonthlyPartitionsDefinition(start_date="2026-07-01", end_offset=0),
    # A range of months is one run: coinlake cuts it itself, and a call reaches over several.
    backfill_policy=dg.BackfillPolicy.single_run(),
)
def market_chart(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
    """The histories of one dataset, window by window."""
    start, end = context.partition_time_window
    window = ["--from", f"{start:%Y-%m-%d}", "--to", f"{end:%Y-%m-%d}"]
    return backfill(context, "--dataset", "market_chart", *window)


@dg.asset(deps=[market_chart])
def monthly_prices() -> None:
    """How each coin closed, month by month; from the published file, which no run locks."""
    with duckdb.connect(f"{LAKE}/warehouse/coinlake.duckdb", read_only=True) as published:
        published.sql("SET TimeZone = 'UTC'")
        published.sql("""
            SELECT coin_id, date_trunc('month', close_of_date)::DATE AS month, count(*) AS days,
                   round(min(price), 2) AS low, round(avg(price), 2) AS mean, round(max(price), 2) AS high
            FROM daily_prices WHERE vs_currency = 'usd' GROUP BY ALL
        """).write_parquet(f"{LAKE}/monthly_prices.parquet")


@dg.asset_check(asset=lake)
def is_fresh() -> dg.AssetCheckResult:
    """Fails when a dataset is older than it may be (`freshness:`), not there, or a run stands still."""
    command = ["npx", "coinlake", "status", "--check", "--json"]
    ended = subprocess.run(command, cwd=LAKE, stdout=subprocess.PIPE, text=True)
    found = json.loads(ended.stdout)["freshness"] if ended.returncode in (COMPLETE, GAPS) else []
    return dg.AssetCheckResult(passed=ended.returncode == COMPLETE, metadata={"freshness": found})


hourly = dg.ScheduleDefinition(name="hourly", cron_schedule="5 * * * *", target=[lake])
defs = dg.Definitions([lake, market_chart, monthly_prices], asset_checks=[is_fresh], schedules=[hourly])
