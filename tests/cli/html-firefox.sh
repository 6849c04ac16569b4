# Test the HTML reports in Firefox: with mouse and keyboard, on a small and a
# large screen, in dark mode and printed, for accessibility, and that they load
# nothing from the network.
. "$(dirname "$2")/../browser/pages.sh"
in_browser firefox "$2"
