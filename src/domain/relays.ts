/** The protocols with which a relay in front of this service can name the client. */
export const RELAY_PROTOCOLS = ['xclient', 'xforward', 'proxy'] as const;

export type RelayProtocol = (typeof RELAY_PROTOCOLS)[number];

/** The protocols that are SMTP commands. */
export type NamingCommand = Exclude<RelayProtocol, 'proxy'>;
