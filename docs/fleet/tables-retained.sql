-- The bytes that the instances of a class retain: all objects that are reachable
-- from the roots, except those that are also reachable without the instances. All
-- references count, as with hprof-diff --retained --reachability=all. Each object
-- also refers to its class.
CREATE TABLE links AS
    SELECT from_id, to_id FROM edges WHERE to_class <> '' UNION ALL
    SELECT id, class_id FROM objects WHERE class_id <> 0;
CREATE TABLE alive AS WITH RECURSIVE reached(id) AS (
    SELECT id FROM roots WHERE class <> '' UNION
    SELECT to_id FROM links JOIN reached ON from_id = id)
    SELECT id FROM reached;
CREATE TABLE kept AS WITH RECURSIVE
    without AS (SELECT id FROM objects WHERE class = 'Fleet$Order'
        AND kind = 'instance'),
    reached(id) AS (
    SELECT id FROM roots WHERE class <> ''
        AND id NOT IN (SELECT id FROM without) UNION
    SELECT to_id FROM links JOIN reached ON from_id = id
        WHERE to_id NOT IN (SELECT id FROM without))
    SELECT id FROM reached;
SELECT 'retained', 'Fleet$Order', count(*), sum(bytes) FROM objects
    WHERE id IN (SELECT id FROM alive) AND id NOT IN (SELECT id FROM kept);
