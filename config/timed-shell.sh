#!/bin/sh
# The shell that config/times.js has npm run each script by: it notes what the script took, as `times` of the shell tells it.
start=$(date +%s)
sh "$@"
status=$?
{
  echo "$npm_package_name:$npm_lifecycle_event $(($(date +%s) - start))"
  times
} >"$FLOWGRAD_TIMES/$$"
exit $status
