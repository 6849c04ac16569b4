# References counted by hand. HotSpot's world, ids of 8:
# fields: loader.parent; thread.name; string.value; next of three orders and
# the rush order's owner; the mirror's name and classLoader
#   = loader 0, name 1, value 1, next 1 + 0 + 1, owner 1, mirror 1 + 0
# statics of Order: LAST 1, NONE 0, <resolved_references> 1
# elements: Order[4] 3 + one null; Object[3] 3
fixture hotspot >a
hprof-validate --format=json a | jq -c '.files[0].references'
# one more order whose `next` names nothing
fixture dangling-field >b
hprof-validate --format=json b | jq -c '.files[0].references'
# two dumps are counted one by one and summed
fixture two-dumps >c
hprof-validate --format=json c | jq -c '.files[0].references'
