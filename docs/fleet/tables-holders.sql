SELECT 'objects', class, '', count(*) AS n FROM objects
    GROUP BY class ORDER BY n DESC, class LIMIT 5;
SELECT 'holders', from_class, name, count(*) AS n FROM edges
    WHERE to_class = 'Fleet$Order' GROUP BY from_class, name
    ORDER BY n DESC, from_class, name;
