"""A survey on a SLURM cluster through dask-jobqueue: the scripts that are handed in, run by stand-ins for `sbatch` and `scancel`."""

import os
import stat
import sys

import pytest

jobqueue = pytest.importorskip("dask_jobqueue")
distributed = pytest.importorskip("distributed")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="shell scripts")

from impartial import survey

# What SLURM does with a script, on this machine: it is kept, and runs in a group of processes that `scancel` ends.
SBATCH = """#!/bin/sh
cp "$1" "$JOBS/script"
setsid sh "$JOBS/script" > "$JOBS/log" 2>&1 &
echo "Submitted batch job $!"
"""
SCANCEL = """#!/bin/sh
for job; do kill -TERM "-$job" 2> /dev/null; done
exit 0
"""


def test_the_jobs_of_a_slurm_cluster_answer_a_survey(tmp_path, monkeypatch):
    for name, text in [("sbatch", SBATCH), ("scancel", SCANCEL)]:
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("JOBS", str(tmp_path))
    asked = {"cores": 1, "memory": "1GB", "walltime": "00:10:00", "queue": "games", "account": "nim", "python": sys.executable}
    place = {"local_directory": str(tmp_path), "scheduler_options": {"dashboard_address": None}}
    with jobqueue.SLURMCluster(**asked, **place) as cluster:
        script = cluster.job_script()
        for line in ("#SBATCH -p games", "#SBATCH -A nim", "#SBATCH --mem=", "#SBATCH -t 00:10:00", "dask"):
            assert line in script, script
        cluster.scale(jobs=1)
        with distributed.Client(cluster) as client:
            client.wait_for_workers(1, timeout=120)
            codes = ["0.07", "0.77", "0.137", "0.6"]
            on_slurm = survey(codes, "period", client=client, to=3000, budgets=[5], output=tmp_path / "slurm.sqlite")
            here = survey(codes, "period", to=3000, budgets=[5])
    facts = [[(row["game"], row["status"], row["result"], row["certificate"]) for row in found] for found in (on_slurm, here)]
    assert facts[0] == facts[1] and [status for _, status, *_ in facts[0]] == ["proved", "proved", "found", "proved"]
    assert (tmp_path / "script").read_text() == script.replace("dummy-name", "SLURMCluster-0")
