#!/bin/sh
# What config/nx-scripts.js runs each script by while config/times.js measures: it notes what the script took, as `times` of the shell tells it.
start=$(date +%s)
sh -c "$FLOWGRAD_TIMED"
status=$?
{
  echo "$1 $(($(date +%s) - start))"
  times
} >"$FLOWGRAD_TIMES/$$"
exit $status
