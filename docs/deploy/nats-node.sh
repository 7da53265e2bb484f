#!/bin/sh
# nats-node.sh NAME STORE SECRETS HOST[:PORT]... -- nats-server -c nats.conf
#
# Runs the command with the variables that nats.conf reads: the node's NAME, the directory STORE, the files
# that make-secrets.sh made in SECRETS, and routes to all nodes, including this one.
set -eu
[ $# -ge 5 ] || { sed -n '2s/^# //p' "$0" >&2; exit 2; }
name=$1 store=$2 secrets=$3
shift 3

# In quotes, because 123 without them would be a number.
secret() { value=$(cat "$secrets/$1") && printf '"%s"' "$value"; }
password=$(cat "$secrets/nats_cluster_password")
routes=
while [ "$1" != -- ]; do
  case $1 in *:*) host=$1 ;; *) host=$1:6222 ;; esac
  routes="${routes:+$routes, }\"nats://cluster:$password@$host\""
  shift
done
shift

NATS_PASSWORD=$(secret nats_password)
NATS_OPERATOR_PASSWORD=$(secret nats_operator_password)
NATS_CLUSTER_PASSWORD=$(secret nats_cluster_password)
NATS_JS_KEY=$(secret nats_js_key)
export NATS_PASSWORD NATS_OPERATOR_PASSWORD NATS_CLUSTER_PASSWORD NATS_JS_KEY
export NATS_NAME="\"$name\"" NATS_STORE_DIR="\"$store\"" NATS_ROUTES="[$routes]"
export NATS_CERT_FILE="\"$secrets/nats_cert.pem\"" NATS_KEY_FILE="\"$secrets/nats_key.pem\""
export NATS_CA_FILE="\"$secrets/nats_ca.pem\""
exec "$@"
