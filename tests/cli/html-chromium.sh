# The HTML reports in Chromium: mouse and keys, a phone and a wall, dark and
# printed, by the rules of accessible pages, and nothing fetched.
. "$(dirname "$2")/../browser/pages.sh"
in_browser chromium "$2"
