"""dask-fleet.py DIR - check and count the dumps in DIR with Dask workers.

Each worker runs the programs on some of the files, on the machine that has them.
Only the rows are transferred. Prints the answers of sql-queries.sql. The script
starts two workers on this machine, on the loopback interface. To use your own
workers, pass the address of their scheduler to Client().
"""
import glob
import json
import os
import subprocess
import sys

CHUNK = 8
KEY = ("kind", "dump_id", "dump", "path", "tool", "class", "rule", "severity")


def rows_of(host, version, paths):
    """Return the rows of both programs; an unreadable dump also has a row."""
    labels = ["--label=service=shop", f"--label=host={host}",
              f"--label=version={version}"]
    rows = []
    for program, options in (("hprof-diff", []),
                             ("hprof-validate", ["--min-severity=error"])):
        done = subprocess.run([program, "--format=rows", "--threads=1"] +
                              options + labels + paths, check=False,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
        new = [json.loads(line) for line in done.stdout.splitlines()]
        # exit status 2: a damaged dump, which has its row, or another error
        if done.returncode not in (0, 1, 2) or \
                sum(r["kind"] == "dump" for r in new) != len(paths):
            raise RuntimeError(f"{program}: {done.returncode}")
        rows += new
    return rows


def growth(rows):
    """Return the largest bytes of each class in versions 1 and 3."""
    most = {}
    for r in rows:
        if r["kind"] == "class" and not r["partial"]:
            of = most.setdefault(r["class"], {})
            of[r["version"]] = max(of.get(r["version"], 0), r["bytes"])
    return most


def main():
    from dask.distributed import Client, LocalCluster
    chunks = []
    for folder in sorted(glob.glob(os.path.join(sys.argv[1], "*", "*"))):
        host, version = folder.split(os.sep)[-2:]
        paths = sorted(glob.glob(os.path.join(folder, "*.hprof*")))
        chunks += [(host, version, paths[i:i + CHUNK])
                   for i in range(0, len(paths), CHUNK)]
    with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1",
                      dashboard_address=None, memory_limit="1GB") as cluster, \
            Client(cluster) as client:
        done = client.gather(client.map(lambda c: rows_of(*c), chunks))
    rows = {tuple(r.get(k, "") for k in KEY): r for part in done for r in part}
    dumps = [r for r in rows.values() if r["kind"] == "dump"
             and r["tool"] == "hprof-diff"]
    print("dumps", len(dumps), "", sum(r["partial"] for r in dumps), sep="\t")
    grown = [(of.get("3", 0) - of.get("1", 0), name)
             for name, of in growth(rows.values()).items()]
    for by, name in sorted(grown, key=lambda g: (-g[0], g[1]))[:5]:
        print("growth", name, "", by, sep="\t")
    damage = {}
    for r in rows.values():
        if r["kind"] == "finding" and r["damage"]:
            key = (r["host"], r["rule"])
            damage[key] = damage.get(key, 0) + 1
    for (host, rule), n in sorted(damage.items()):
        print("damage", host, rule, n, sep="\t")


if __name__ == "__main__":
    main()
