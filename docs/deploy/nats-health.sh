#!/bin/sh
# nats-health.sh PID STORE PORT: the health check of a nats-server, run beside it.
#
# Exit 0: it takes clients. Without a quorum, or while it catches up, it does too, and is left alone.
#
# It also ends the server (SIGTERM) in a state that it does not leave by itself: once a write has
# failed, as on a full disk, it stores nothing more, whatever room is made. Whoever runs it has to
# start it again, as Docker does with `restart: unless-stopped`; `unhealthy` alone starts nothing.
#
# PORT is that of its monitoring page, on loopback. Needs nc, timeout, df and awk, as Alpine's busybox has:
# its wget does not show the body of a 503.
set -u
pid=$1 store=$2 port=$3

# In KiB. With less the server would soon be where it was, or not even start.
room=65536

healthz() {
  printf 'GET /healthz HTTP/1.0\r\n\r\n' | timeout 3 nc 127.0.0.1 "$port"
}

# What nats-server 2.15 says:
#   not enabled   a node of a cluster that could not write has switched its JetStream off
#   write error   a server that stands alone could not write
#   not running   a node that was started on a full disk, and has given up one of its streams
is_stuck() {
  healthz | grep -Eq '"error":.*(not enabled|write error|not running)'
}

# Not "error": that is a server which does not take clients yet.
healthz | grep -Eq '"status":"(ok|unavailable)"' || exit 1
is_stuck || exit 0

# A node that resets a stream may look like that for a moment.
sleep 3
is_stuck || exit 0

free=$(df -Pk "$store" | awk 'NR == 2 { print $4 }')
if [ "$free" -ge "$room" ]; then
  echo 'stuck after a failed write: it is ended, to be started again'
  kill "$pid"
else
  echo "stuck after a failed write: make room ($free KiB are free, $room are needed)"
fi
exit 1
