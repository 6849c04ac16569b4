-- The queries of clickhouse-queries.sql, for DuckDB and SQLite.
SELECT 'dumps', CAST(count(*) AS VARCHAR), '', CAST(sum(partial) AS VARCHAR)
    FROM rows WHERE kind = 'dump' AND tool = 'hprof-diff';
SELECT 'growth', class, '', CAST(most3 - most1 AS VARCHAR) FROM (
    SELECT class, max(CASE WHEN version = '1' THEN bytes ELSE 0 END) AS most1,
        max(CASE WHEN version = '3' THEN bytes ELSE 0 END) AS most3
    FROM rows WHERE kind = 'class' AND partial = 0 GROUP BY class)
    AS by_class ORDER BY most3 - most1 DESC, class LIMIT 5;
SELECT 'damage', host, rule, CAST(count(*) AS VARCHAR) FROM rows
    WHERE kind = 'finding' AND damage = 1 GROUP BY host, rule
    ORDER BY host, rule;
