#!/bin/sh
# guard.sh KIB COMMAND... runs COMMAND (nats-server) for as long as the process that started this script
# holds its stdin open, with at most KIB of memory.
#
# nats-server does not watch its parent. The kernel closes the parent's end of the pipe even after
# SIGKILL, so the end of stdin is the one sign of its death that cannot be missed.

# The first line is the permission to start: the parent writes it once it holds the store's lock. It is
# the key of the store, in quotes; empty: the store is not encrypted.
read -r NATS_STORE_KEY || exit 0
export NATS_STORE_KEY

# Above it the server cannot have more memory, and ends; below, it collects its garbage harder. Where a
# system has no such limit, none is set.
ulimit -d "$1" 2>/dev/null || :
export GOMEMLIMIT="$(($1 * 3 / 4))KiB"
shift

# A background job loses stdin, hence the copy.
exec 3<&0
"$@" </dev/null 3<&- &
server=$!

# Further lines never come: this `read` ends when the pipe does.
(
  read -r _ <&3
  kill -TERM "$server"
) 2>/dev/null &
watch=$!
exec 3<&-

wait "$server"
code=$?
kill "$watch" 2>/dev/null
exit "$code"
