#!/bin/sh
# make-secrets.sh DIRECTORY [HOST...]: makes every secret that is missing there, and keeps the existing ones.
#
#   nats_password nats_operator_password nats_cluster_password nats_js_key    random, 48 hex digits
#   nats_ca.pem nats_cert.pem nats_key.pem    TLS to and between the nodes, for nats-1, nats-2, nats-3,
#                                             localhost, 127.0.0.1 and each HOST (a name or an address)
#
# make-secrets.sh --renew DIRECTORY [HOST...]: makes the next nats_cert.pem and nats_key.pem in DIRECTORY/next,
# and adds their authority to nats_ca.pem, which keeps the previous one: docs/operations.md, rotated-certificate.
#
# An authority signs only once, and its key is not kept. Needs openssl.
# You make the wallet's key yourself: wallet_key, 0x and 64 hex digits.
set -eu
umask 077
renew=
[ "${1-}" != --renew ] || { renew=yes; shift; }
[ $# -ge 1 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
directory=$1
shift
mkdir -p "$directory/files"
cd "$directory"

for name in nats_password nats_operator_password nats_cluster_password nats_js_key; do
  [ -s "$name" ] || openssl rand -hex 24 > "$name"
done

into=.
if [ -n "$renew" ]; then
  into=next
  [ -s nats_ca.pem ] || { echo 'There is no nats_ca.pem to renew: run this without --renew.' >&2; exit 1; }
  if [ -s next/nats_cert.pem ] && ! cmp -s next/nats_cert.pem nats_cert.pem; then
    echo 'next/nats_cert.pem is not in use yet: put it in place first, or delete it.' >&2
    exit 1
  fi
  mkdir -p next
fi

if [ -n "$renew" ] || [ ! -s nats_cert.pem ]; then
  names='DNS:nats-1,DNS:nats-2,DNS:nats-3,DNS:localhost,IP:127.0.0.1'
  for host in "$@"; do
    case $host in
      *:*) names="$names,IP:$host" ;;
      *[!0-9.]*) names="$names,DNS:$host" ;;
      *) names="$names,IP:$host" ;;
    esac
  done
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  new() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 "$@" 2>> "$scratch/log"; }
  new -subj '/CN=deliverability log' -keyout "$scratch/ca.key" -out "$scratch/ca.pem" \
    -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign' \
    || { cat "$scratch/log" >&2; exit 1; }
  new -subj '/CN=nats' -keyout "$into/nats_key.pem" -out "$into/nats_cert.pem" -CA "$scratch/ca.pem" -CAkey "$scratch/ca.key" \
    -addext 'basicConstraints=critical,CA:FALSE' -addext "subjectAltName=$names" \
    -addext 'extendedKeyUsage=serverAuth,clientAuth' \
    || { cat "$scratch/log" >&2; rm -f "$into/nats_cert.pem"; exit 1; }
  # The newest comes first. The file is overwritten in place, because a container mounts the file, not its name.
  [ -z "$renew" ] || openssl x509 -in nats_ca.pem >> "$scratch/ca.pem"
  cat "$scratch/ca.pem" > nats_ca.pem
fi
