-- dumps: the number of dumps; FINAL counts a dump once if it was loaded twice
SELECT 'dumps', toString(count()), '', toString(sum(partial)) FROM rows FINAL
    WHERE kind = 'dump' AND tool = 'hprof-diff';
-- growth: the classes that grew most from version 1 to 3; no damaged dumps
SELECT 'growth', class, '', toString(most3 - most1) FROM (
    SELECT class, toInt64(max(if(version = '1', bytes, 0))) AS most1,
        toInt64(max(if(version = '3', bytes, 0))) AS most3
    FROM rows FINAL WHERE kind = 'class' AND partial = 0 GROUP BY class)
    ORDER BY most3 - most1 DESC, class LIMIT 5;
-- damage: the hosts with damaged dumps, and the rules that report it
SELECT 'damage', host, rule, toString(count()) FROM rows FINAL
    WHERE kind = 'finding' AND damage = 1 GROUP BY host, rule
    ORDER BY host, rule;
