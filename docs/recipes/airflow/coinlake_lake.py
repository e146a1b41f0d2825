"""A coinlake warehouse in Airflow 3: copy it to the dags folder, LAKE = the folder of coinlake.yaml."""

import json
import os
import subprocess
from datetime import UTC, datetime, timedelta

from airflow.sdk import dag, task
from airflow.sdk.exceptions import AirflowFailException
from airflow.timetables.interval import CronDataIntervalTimetable

LAKE = os.environ.get("LAKE", ".")
# Exit codes of coinlake (docs/cli.md).
COMPLETE, CONFIG, GAPS, SOURCE = 0, 2, 3, 4


def coinlake(*words: str) -> dict:
    """One command to its end. Its words go to the task's log; killed with the task, the next one goes on where it ended."""
    ended = subprocess.run(["npx", "coinlake", *words, "--json"], cwd=LAKE, stdout=subprocess.PIPE, text=True)
    code = ended.returncode
    told = json.loads(ended.stdout or "{}")
    if code in (COMPLETE, GAPS):
        return {"code": code, **told}
    error = (told.get("error") or told.get("fatal") or {}).get("code", "see the log above")
    # What mends itself is tried again; a wrong configuration, or a key that is refused, is not.
    is_final = code in (CONFIG, SOURCE) and error != "SOURCE_UNREACHABLE"
    raise (AirflowFailException if is_final else RuntimeError)(f"coinlake ended with {code}: {error}")


def run(*words: str) -> dict:
    report = coinlake("backfill", *words)
    if report["code"] == GAPS:
        print("with gaps:", report["failures"] or report["fatal"])
    return {name: report[name] for name in ("verdict", "calls", "rows", "runId")}


# One run of a warehouse at a time: another is refused with exit code 6, and tried again.
often = dict(max_active_runs=1, default_args={"retries": 5, "retry_delay": timedelta(minutes=1)})
start = datetime(2026, 7, 1, tzinfo=UTC)


@dag(schedule="5 * * * *", start_date=start, catchup=False, **often)
def coinlake_lake():
    """All that coinlake.yaml asks for and that is missing; a run that was left out is made up for by the next."""

    @task
    def lake() -> dict:
        return run()

    @task
    def is_fresh() -> None:
        if coinlake("status", "--check")["code"] == GAPS:
            raise AirflowFailException("stale, not there, or a run stands still: coinlake status")

    lake() >> is_fresh()


@dag(schedule=CronDataIntervalTimetable("0 0 1 * *", timezone="UTC"), start_date=start, catchup=True, **often)
def coinlake_months():
    """The histories of one dataset, window by window."""

    @task
    def market_chart(data_interval_start=None, data_interval_end=None) -> dict:
        window = [f"--from={data_interval_start:%Y-%m-%d}", f"--to={data_interval_end:%Y-%m-%d}"]
        return run("--dataset", "market_chart", *window)

    market_chart()


coinlake_lake()
coinlake_months()
