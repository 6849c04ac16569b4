# The references of HotSpot's dump with 8-byte ids, counted by hand. A 0 is a
# null reference. There are 14 references and 5 nulls:
# fields: Loader.parent 0; Thread.name 1; String.value 1; Order.next 1, 0 and 1
#   in three orders; RushOrder.owner 1; name 1 and classLoader 0 of the mirror
# static fields of Order: LAST 1, NONE 0, <resolved_references> 1
# elements: Order[4] 3 and one 0; Object[3] 3
fixture hotspot >a
hprof-validate --format=json a | jq -c '.files[0].references'
# one more order whose `next` dangles
fixture dangling-field >b
hprof-validate --format=json b | jq -c '.files[0].references'
# two dumps are counted separately and added up
fixture two-dumps >c
hprof-validate --format=json c | jq -c '.files[0].references'
