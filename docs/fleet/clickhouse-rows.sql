-- The table of each shard. A row that is loaded again replaces the first one.
CREATE TABLE rows_local (
    kind String, dump_id String, dump_id_of String, dump_time UInt64,
    path String, partial UInt8, service String, host String, version String,
    tool String, verdict String, dialect String, class String, count UInt64, bytes UInt64,
    rule String, severity String, damage UInt8, message String,
    dump UInt32,
    ingested DateTime DEFAULT now()
) ENGINE = ReplacingMergeTree(ingested)
    PARTITION BY tuple()
    ORDER BY (kind, service, class, version, host, dump_id, dump, path,
        tool, rule, severity);
-- The table of both shards. All rows of a dump are on the same shard.
CREATE TABLE rows AS rows_local
    ENGINE = Distributed(fleet, default, rows_local, sipHash64(dump_id));
