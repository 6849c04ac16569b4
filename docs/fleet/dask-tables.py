"""dask-tables.py TABLES - query the tables of one dump with Dask.

TABLES is an output of hprof-convert --to=tables. Prints the answers of
tables-holders.sql. Two workers on this machine read the files in blocks of
64 MB, so a table may be larger than the memory. Needs pandas.
"""
import csv
import os
import sys

CLASS = "Fleet$Order"


def table(name, columns):
    """Return columns of a table. Quotes, escapes and NULL have no meaning in it."""
    import dask.dataframe
    path = os.path.join(sys.argv[1], name + ".tsv")
    return dask.dataframe.read_csv(path, sep="\t", usecols=columns, dtype=str,
                                   quoting=csv.QUOTE_NONE, na_filter=False,
                                   blocksize="64MB")


def answer(kind, counts):
    """Yield one line for each count, largest first, with backslashes unescaped."""
    rows = [(-n, *(key if isinstance(key, tuple) else (key, "")))
            for key, n in counts.items()]
    for n, first, second in sorted(rows):
        yield [kind, first.replace(r"\\", "\\"),
               second.replace(r"\\", "\\"), -n]


def main():
    from dask.distributed import Client, LocalCluster
    with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1",
                      dashboard_address=None, memory_limit="1GB") as cluster, \
            Client(cluster):
        edges = table("edges", ["from_class", "name", "to_class"])
        held = edges[edges.to_class == CLASS]
        objects = table("objects", ["class"]).groupby("class").size()
        holders = held.groupby(["from_class", "name"]).size()
        rows = [*answer("objects", objects.compute())][:5]
        rows += answer("holders", holders.compute())
    for row in rows:
        print(*row, sep="\t")


if __name__ == "__main__":
    main()
