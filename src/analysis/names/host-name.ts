/** Whether a name can be a mail host's: labels of letters, digits and inner hyphens (RFC 1123 §2.1). */
export const isHostName = (name: string): boolean =>
  /^(?=.{1,253}$)(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))+$/i.test(name) &&
  !/\.\d+$/.test(name);

/** Names that only one's own network knows (RFC 6761, RFC 6762). */
const LOCAL = /(?:^|\.)(?:local|localhost|localdomain)$/i;

/** Whether others could look a HELO name up. */
export const isPublicHost = (name: string): boolean => {
  const host = name.replace(/\.$/, '');
  return isHostName(host) && !LOCAL.test(host);
};

/** Whether a domain can be published at: a name of several labels that others can look up. */
export const isPublicDomain = (name: string): boolean =>
  name.includes('.') && !LOCAL.test(name.replace(/\.$/, '')) && !/\.\d+$|^\[/.test(name);

/** A name that no public DNS has (RFC 6762, RFC 8375, and those in wide use), anywhere in a text. */
export const INTERNAL_NAME =
  /[a-z0-9-]\.(?:local|localdomain|lan|internal|intranet|corp|home\.arpa)(?:[^a-z0-9.-]|$)/i;
