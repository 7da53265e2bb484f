/**
 * A name of a signature as header fields are read: lower case, A-labels, no dot at the end. RFC 8616
 * §5 lets internationalized mail have U-labels.
 */
export const toALabels = (name: string): string => {
  const bare = name.trim().toLowerCase().replace(/\.$/, '');
  if (/^[\x20-\x7e]*$/.test(bare)) return bare;
  try {
    return new URL(`http://${bare}`).hostname;
  } catch {
    return bare;
  }
};
