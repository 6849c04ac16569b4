# The HTML reports in Firefox: mouse and keys, a phone and a wall, dark and
# printed, by the rules of accessible pages, and nothing fetched.
. "$(dirname "$2")/../browser/pages.sh"
in_browser firefox "$2"
