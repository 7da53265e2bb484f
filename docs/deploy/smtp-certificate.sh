#!/bin/sh
# smtp-certificate.sh [DIRECTORY]: the deploy hook for certbot. Copies a new certificate to where the service
# reads it: cert.pem and key.pem in DIRECTORY (default: /etc/deliverability/smtp), readable only by OWNER
# (default: deliverability). The service sees them within a minute, and uses the old pair until both new files
# are there.
set -eu
directory=${1-/etc/deliverability/smtp}
owner=${OWNER-deliverability}
[ -n "${RENEWED_LINEAGE-}" ] || { echo 'certbot runs this, with RENEWED_LINEAGE set.' >&2; exit 2; }
install -d -o "$owner" -m 0700 "$directory"
# Each file is renamed into place, so the service never sees a part of it.
for pair in privkey:key fullchain:cert; do
  to=$directory/${pair#*:}.pem
  install -o "$owner" -m 0400 "$RENEWED_LINEAGE/${pair%:*}.pem" "$to.new"
  mv -f "$to.new" "$to"
done
