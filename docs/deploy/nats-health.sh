#!/bin/sh
# nats-health.sh PID STORE PORT: the health check of a nats-server, run beside it.
#
# Exits with 0 if the server accepts clients. It also does so without a quorum and while it catches up;
# such a server is left alone.
#
# Also ends the server (SIGTERM) if it is in a state that it does not leave on its own: once a write has
# failed, as on a full disk, it stores nothing more, even when space is free again. Its supervisor must
# restart it, as Docker does with `restart: unless-stopped`; `unhealthy` alone does not cause a restart.
#
# PORT is the server's monitoring port on loopback. Needs nc, timeout, df and awk, which Alpine's busybox
# has. Its wget is not used, because it does not show the body of a 503.
set -u
pid=$1 store=$2 port=$3

# In KiB. With less free space, the server would soon be stuck again, or not even start.
needed=65536

healthz() {
  printf 'GET /healthz HTTP/1.0\r\n\r\n' | timeout 3 nc 127.0.0.1 "$port"
}

# Messages of nats-server 2.15:
#   not enabled   a node of a cluster that could not write has switched its JetStream off
#   write error   a single server could not write
#   not running   a node that was started on a full disk, and has given up one of its streams
is_stuck() {
  healthz | grep -Eq '"error":.*(not enabled|write error|not running)'
}

# "error" is not accepted: such a server does not accept clients yet.
healthz | grep -Eq '"status":"(ok|unavailable)"' || exit 1
is_stuck || exit 0

# A node that resets a stream may look stuck for a moment.
sleep 3
is_stuck || exit 0

free=$(df -Pk "$store" | awk 'NR == 2 { print $4 }')
if [ "$free" -ge "$needed" ]; then
  echo 'stuck after a failed write: ending it, so that it is restarted'
  kill "$pid"
else
  echo "stuck after a failed write: free disk space ($free KiB are free, $needed are needed)"
fi
exit 1
