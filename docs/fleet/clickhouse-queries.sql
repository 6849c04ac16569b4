-- dumps: how many there are, each once however often it was loaded
SELECT 'dumps', toString(count()), '', toString(sum(partial)) FROM rows FINAL
    WHERE kind = 'dump' AND tool = 'hprof-diff';
-- growth: classes that grew most from version 1 to version 3, whole dumps only
SELECT 'growth', class, '', toString(most3 - most1) FROM (
    SELECT class, toInt64(max(if(version = '1', bytes, 0))) AS most1,
        toInt64(max(if(version = '3', bytes, 0))) AS most3
    FROM rows FINAL WHERE kind = 'class' AND partial = 0 GROUP BY class)
    ORDER BY most3 - most1 DESC, class LIMIT 5;
-- damage: on which hosts, by which rule
SELECT 'damage', host, rule, toString(count()) FROM rows FINAL
    WHERE kind = 'finding' AND damage = 1 GROUP BY host, rule
    ORDER BY host, rule;
