#!/usr/bin/env bash
# Fetches the package of the release that `release.json` names, and unpacks it if it has the hash stated there.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
read -r version sha256 < <(
  node -p 'const { version, sha256 } = require(process.argv[1]); `${version} ${sha256}`' "$here/release.json"
)
folder=${RUNNER_TEMP:-/tmp}/deliverability-$sha256
[ -f "$folder/package/deliverability.js" ] && exit 0

mkdir -p "$folder"
url=${GITHUB_SERVER_URL:-https://github.com}/$REPOSITORY/releases/download/v$version/deliverability-$version.tgz
curl --fail --silent --show-error --location --retry 3 --output "$folder/package.tgz" "$url"
# Not every runner has sha256sum.
sum=$(node -p 'require("crypto").createHash("sha256").update(require("fs").readFileSync(process.argv[1])).digest("hex")' "$folder/package.tgz")
if [ "$sum" != "$sha256" ]; then
  rm -r "$folder"
  echo "::error::$url does not have the hash that this version of the action names. It was not run." >&2
  exit 1
fi
tar -xzf "$folder/package.tgz" -C "$folder"
