/**
 * The protocols by which a trusted relay in front of this service can tell it the address of the real client.
 */
export const RELAY_PROTOCOLS = ['xclient', 'xforward', 'proxy'] as const;

export type RelayProtocol = (typeof RELAY_PROTOCOLS)[number];

/** Those relay protocols that are SMTP commands. */
export type NamingCommand = Exclude<RelayProtocol, 'proxy'>;
