import ipaddr from 'ipaddr.js';

/** Returns whether two IP address ranges (CIDR) overlap. */
export function overlap(one: string, other: string): boolean {
  const [[base, bits], [its, itsBits]] = [ipaddr.parseCIDR(one), ipaddr.parseCIDR(other)];
  return base.kind() === its.kind() && base.match(its, Math.min(bits, itsBits));
}
