# What may differ between two builds that do the same: both sides become the
# same here, with all white space made one. Messages whose wording was mended
# stand here, too, while the older build is of interest.
s/"version": ?"[^"]*"/"version":""/g
# results of rows have the schema 2 since the columns by cpu and by monitor have
# names of their own
s/"schema": ?[12]/"schema":N/g
# -v says how long it took
s/, [0-9.]+ s, ([0-9]+ threads?)/, N s, \1/g
