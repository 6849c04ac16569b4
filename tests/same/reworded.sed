# What a message says today in other words than before: both sides become the
# same here, with all white space made one. Emptied when the wording of the
# older build is no more of interest.
s/"version": ?"[^"]*"/"version":""/g
s/' is none of /': expected one of /g
s/must be more than nothing/must be greater than 0/g
s/bytes of which nobody knows what they are; they cannot be stripped/bytes of unrecognised payload: refusing to strip/g
s/is not a pack for its name: --to=pack makes one/the suffix '.pack' does not select the pack format; use --to=pack/g
s/(the|a temporary) file became shorter/\1 file was truncated/g
s/a type code that is none/an invalid type code/g
s/a type that is none/an invalid type/g
s/cannot look at the file:/cannot stat the file:/g
s/can be made out any more/can be recognised any more/g
s/the graph of objects was not looked at/the object graph was not checked/g
s/a gate of growth needs two dumps/a growth gate needs two dumps/g
s/is no JSON result of hprof-validate/is not a JSON result of hprof-validate/g
s/is no RULE=SEVERITY/is not of the form RULE=SEVERITY/g
s/is no list of primitive types/is not a list of primitive types/g
s/is no gate; one reads/is not a gate; expected/g
s/this is no HPROF dump/not an HPROF dump/g
s/no heap dump: it does not begin with/not a heap dump: it does not begin with/g
s/the (compressed data|gzip file|zstd file|pack) is cut/the \1 is truncated/g
s/the proof cannot follow the output/the proof cannot parse the output/g
s/what the result is written as/the output format/g
s/show how far the work is/show progress/g
s/more about what is done on standard error/say more on standard error about what is done/g
s/give up rights that are not needed, where the system allows it/sandbox: drop rights that are not needed, where the system can/g
s/blocks do not make up what was packed/blocks do not add up to what was packed/g
s/say say more/say more/g
s/not not a heap/not a heap/g
