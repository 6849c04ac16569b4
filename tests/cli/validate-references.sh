# References counted by hand in HotSpot's dump with 8-byte ids:
# fields: loader.parent; thread.name; string.value; next of three orders
#   and the rush order's owner; the mirror's name and classLoader
#   = loader 0, name 1, value 1, next 1 + 0 + 1, owner 1, mirror 1 + 0
# static fields of Order: LAST 1, NONE 0, <resolved_references> 1
# elements: Order[4] 3 and one null; Object[3] 3
fixture hotspot >a
hprof-validate --format=json a | jq -c '.files[0].references'
# one more order whose `next` dangles
fixture dangling-field >b
hprof-validate --format=json b | jq -c '.files[0].references'
# two dumps are counted separately and added up
fixture two-dumps >c
hprof-validate --format=json c | jq -c '.files[0].references'
