#!/usr/bin/env bash
# Runs the command with the inputs of the action, which are passed as variables.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sha256=$(node -p 'require(process.argv[1]).sha256' "$here/release.json")
command=${RUNNER_TEMP:-/tmp}/deliverability-$sha256/package/deliverability.js
report=$(mktemp "${RUNNER_TEMP:-/tmp}/deliverability-XXXXXX")

args=(check)
if [ -n "${INPUT_LINT:-}" ]; then
  args=(lint)
  while IFS= read -r line; do [ -n "$line" ] && args+=("$line"); done <<<"$INPUT_LINT"
fi
option() { [ -n "$2" ] && args+=("$1" "$2"); }
if [ "${args[0]}" = check ]; then
  option --send "${INPUT_SEND:-}"
  option --from "${INPUT_FROM:-}"
  option --mail "${INPUT_MAIL:-}"
  option --max-price "${INPUT_MAX_PRICE:-}"
  [ "${INPUT_SOFT:-}" = true ] && args+=(--soft)
fi
option --min-score "${INPUT_MIN_SCORE:-}"
option --fail-on "${INPUT_FAIL_ON:-}"
option --require "${INPUT_REQUIRE:-}"
args+=(--format github --format "json=$report")
[ -n "${GITHUB_STEP_SUMMARY:-}" ] && args+=(--format "markdown=$GITHUB_STEP_SUMMARY")
[ -n "${INPUT_SARIF:-}" ] && args+=(--format "sarif=$INPUT_SARIF")
[ -n "${INPUT_JUNIT:-}" ] && args+=(--format "junit=$INPUT_JUNIT")
while IFS= read -r line; do [ -n "$line" ] && args+=("$line"); done <<<"${INPUT_ARGUMENTS:-}"

node "$command" "${args[@]}"
code=$?

# The command writes these sentences, which its annotations and its summary contain too.
results=$(
  node -p 'const { judgement, summary } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8") || "{}");
    const score = judgement?.lowest_score ?? summary?.lowest_score ?? "";
    `score=${score}\nresult=${judgement?.score_text ?? summary?.text ?? ""}`' "$report"
)
printf '%s\nreport=%s\n' "$results" "$report" >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$code"
