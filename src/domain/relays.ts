/** The protocols by which a relay in front of this service can name the client. */
export const RELAY_PROTOCOLS = ['xclient', 'xforward', 'proxy'] as const;

export type RelayProtocol = (typeof RELAY_PROTOCOLS)[number];

/** Those that are commands of SMTP. */
export type NamingCommand = Exclude<RelayProtocol, 'proxy'>;
