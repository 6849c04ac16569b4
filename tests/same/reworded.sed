# What may differ between two builds that do the same: both sides become the
# same here, with all white space made one. Messages whose wording was mended
# stand here, too, while the older build is of interest.
s/"version": ?"[^"]*"/"version":""/g
# -v says how long it took
s/, [0-9.]+ s, ([0-9]+ threads?)/, N s, \1/g
