#!/usr/bin/env bash
# Whether what a proxy or a visitor loads stays within its budget.
#   scripts/sizes.sh plugin FILE     scripts/sizes.sh page FOLDER
set -euo pipefail

zipped() { gzip -9 -c "$1" | wc -c; }

# within WHAT BYTES BYTES_MAX
within() {
  echo "$1: $2 of at most $3 bytes"
  [ "$2" -le "$3" ] || { echo "sizes: $1 is too large" >&2; exit 1; }
}

case ${1:-} in
  plugin)
    within "the filter" "$(wc -c <"$2")" 250000
    within "the filter, gzip" "$(zipped "$2")" 105000
    ;;
  page)
    total=0
    for file in "$2"/*; do total=$((total + $(zipped "$file"))); done
    within "the page's first load, gzip" "$total" 150000
    ;;
  *) echo "sizes: plugin FILE, or page FOLDER" >&2; exit 2 ;;
esac
