/** Lists every folder of the source with its purpose, and what its files may import. */

interface Rules {
  /** Other layers that may be imported. */
  readonly layers: readonly string[];
  readonly packages: readonly string[];
  /** True if files may use Node.js, the clock and random numbers. */
  readonly outside: boolean;
}

interface Folder {
  /** The purpose of the folder, in one sentence, which CONTRIBUTING.md shows. */
  readonly what: string;
  /**
   * The imports that its files may have. A folder without rules belongs to the layer above it, or composes
   * the others.
   */
  readonly rules?: Rules;
  /** If the folder is a signal of the analysis, the other signals that it builds on. */
  readonly signals?: readonly string[];
}

/** Returns an adapter, which has one library, and address ranges, which are plain data. */
const adapter = (what: string, ...packages: string[]): Folder => ({
  what,
  rules: {
    layers: ['src/domain', 'src/ports', 'src/telemetry'],
    packages: [...packages, 'ipaddr.js'],
    outside: true,
  },
});

const signal = (what: string, ...signals: string[]): Folder => ({ what, signals });

/** Every folder of the source by its path, with its purpose and its rules. */
export const folders: Readonly<Record<string, Folder>> = {
  machines: {
    what: 'The two state machines, a test and a payment. Copy the folder to use them elsewhere: they need nothing but XState.',
    rules: { layers: [], packages: ['xstate'], outside: false },
  },
  'src/domain': {
    what: 'The terms everything else uses: events, ids, errors, SMTP replies, payment terms, and who owns which domains.',
    rules: { layers: [], packages: ['@sinclair/typebox', 'ipaddr.js'], outside: false },
  },
  'src/domain/fairness': {
    what: 'Shares a scarce resource between networks: rates, queues, and who gives way when it is full.',
  },
  'src/domain/report': { what: 'The schema of the report, and the functions that word its score.' },
  'src/projection': {
    what: 'Folds events into what a replica remembers of a test or payment. Pure: no clock, no network.',
    rules: { layers: ['src/domain', 'machines'], packages: ['xstate'], outside: false },
  },
  'src/analysis': {
    what: 'Turns the facts about one email into a report. Pure: no clock, no network.',
    rules: {
      layers: ['src/domain'],
      // Inflating is as pure as parsing. Only the grammar of the SPF engine is used.
      packages: ['ipaddr.js', 'parse5', 'tldts', 'node:zlib', 'mailauth/lib/spf/syntax.js'],
      outside: false,
    },
  },
  'src/analysis/advice': {
    what: 'Decides what to tell the reader: which side can make a fix, in which order the steps go, and which fixes come first.',
  },
  'src/analysis/names': { what: 'What several signals need to know about domains and host names.' },
  'src/analysis/syntax': {
    what: 'Parses what several signals share: headers, tags, charsets, words.',
  },
  'src/analysis/mail': {
    what: 'Reads a whole message once and collects the facts for every signal.',
  },
  'src/analysis/arc': signal('ARC: whether forwarders vouch for the authentication they saw.'),
  'src/analysis/bimi': signal('BIMI: the sender’s logo, its record and its certificate.', 'dmarc'),
  'src/analysis/classification': signal(
    'Newsletter, letter, notice or machine mail: which rules apply to this email.',
    'links',
    'text',
    'unsubscribe',
  ),
  'src/analysis/connection': signal('The sending server: reverse DNS, HELO name and TLS.'),
  'src/analysis/dkim': signal('DKIM: signatures and published keys.'),
  'src/analysis/dmarc': signal('DMARC: the policy, alignment and reports.', 'dkim'),
  'src/analysis/receiving': signal(
    'The servers that receive mail for the sender’s domain: STARTTLS, DANE, IPv6.',
  ),
  'src/analysis/filters': signal(
    'What spam filters of the operator say, in addition to our own findings.',
  ),
  'src/analysis/headers': signal('Header fields: From, To, Date, Message-ID and the rest.'),
  'src/analysis/html': signal(
    'The HTML body: hidden text, images, forms, scripts, accessibility.',
    'links',
  ),
  'src/analysis/impersonation': signal(
    'Emails whose domain contradicts the name that they claim.',
    'text',
  ),
  'src/analysis/links': signal('Links in the body: where they point, and what they pretend.'),
  'src/analysis/mime': signal('MIME structure: parts, encodings, attachments.'),
  'src/analysis/provider': signal(
    'What an inbound provider, such as Cloudflare, says about the connection it accepted.',
  ),
  'src/analysis/reputation': signal(
    'Blocklists of addresses and domains, and the MX records of domains.',
    'connection',
  ),
  'src/analysis/spf': signal('SPF: the record, its evaluation, and a corrected record.'),
  'src/analysis/text': signal(
    'The words of the body: topics, languages and signs of fraud.',
    'html',
  ),
  'src/analysis/transport': signal('MTA-STS and TLS-RPT policies.'),
  'src/analysis/unsubscribe': signal(
    'Ways to unsubscribe, with one click and otherwise.',
    'dkim',
    'text',
  ),
  'src/analysis/route': signal(
    'The route an email took: its Received fields and their times.',
    'headers',
  ),
  'src/ports': {
    what: 'Interfaces for everything the service needs from outside. No code runs here.',
    rules: {
      layers: ['src/domain', 'machines', 'src/analysis', 'src/projection'],
      packages: [],
      outside: false,
    },
  },
  'src/telemetry': {
    what: 'Logger and metrics.',
    rules: { layers: ['src/domain'], packages: ['pino', 'prom-client'], outside: true },
  },
  'src/adapters': {
    what: 'Implements the ports, with one outside system and one library per folder.',
  },
  'src/adapters/certificate-worker': adapter('Checks TLS certificates in a separate thread.'),
  'src/adapters/chain': adapter(
    'Reads and writes the blockchain: balances, transfers, fees, settlements.',
    'viem',
  ),
  'src/adapters/dns': adapter(
    'Resolves names over UDP and TCP, with deadlines, budgets and a cache.',
  ),
  'src/adapters/embedded-nats': adapter('Starts and supervises the service’s own nats-server.'),
  'src/adapters/facilitator': adapter('Settles payments through an x402 facilitator.'),
  'src/adapters/filters': adapter('Asks SpamAssassin and rspamd about an email.'),
  'src/adapters/mail-workers': adapter(
    'Hands emails to worker threads and takes back their results.',
  ),
  'src/adapters/mailauth': adapter(
    'Verifies SPF, DKIM, DMARC and ARC with one engine.',
    'mailauth',
  ),
  'src/adapters/nats': adapter(
    'Keeps the event log and its buckets on NATS JetStream.',
    '@nats-io/jetstream',
    '@nats-io/transport-node',
  ),
  'src/adapters/smtp': adapter(
    'The SMTP server: connections, commands, replies, and the bytes of a message.',
    'smtp-server',
    '@peculiar/asn1-schema',
    '@peculiar/asn1-x509',
  ),
  'src/adapters/opentelemetry': adapter(
    'Sends traces to an OpenTelemetry collector.',
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
  ),
  'src/adapters/web': adapter(
    'Fetches policies and logos from addresses that are safe to contact, and tries STARTTLS.',
  ),
  'src/adapters/web-risk': adapter('Asks Google Web Risk about the hosts of links.'),
  'src/inspection': {
    what: 'Collects the facts about one email: reads it, verifies it, and looks up names within deadlines.',
    rules: {
      layers: ['src/analysis', 'src/ports', 'src/domain'],
      packages: ['ipaddr.js'],
      outside: true,
    },
  },
  'src/actors': {
    what: 'The loops of the service. Each reads the log, decides, and appends.',
    rules: {
      layers: ['src/ports', 'src/domain', 'src/analysis', 'src/projection', 'src/telemetry'],
      packages: [],
      outside: true,
    },
  },
  'src/actors/follower': {
    what: 'Reads a stream in order and keeps the current state of each test or payment.',
  },
  'src/actors/inbound': { what: 'Accepts an email that an inbound provider delivers over HTTP.' },
  'src/actors/receiver': {
    what: 'Accepts an email over SMTP: finds its test, holds its bytes, and decides the reply.',
  },
  'src/actors/settler': {
    what: 'Sells a report: checks the payment, settles it, and records the outcome.',
  },
  'src/api': {
    what: 'The HTTP server. From the analysis it uses only the catalogue of checks.',
    rules: {
      layers: [
        'src/api/schemas',
        'src/analysis',
        'src/ports',
        'src/domain',
        'src/projection',
        'src/telemetry',
        'src/mcp',
      ],
      packages: [
        '@fastify/proxy-addr',
        '@fastify/swagger',
        '@fastify/type-provider-typebox',
        '@modelcontextprotocol/server',
        '@sinclair/typebox',
        'fastify',
      ],
      outside: true,
    },
  },
  'src/api/discovery': {
    what: 'Documents that machines read: OpenAPI, llms.txt, the manifest and the sitemap.',
  },
  'src/api/pages': { what: 'Pages for people, and the scripts and styles they load.' },
  'src/api/plugins': {
    what: 'What applies to every route: security headers, rate limits, errors, metrics.',
  },
  'src/api/routes': { what: 'One file per route.' },
  'src/api/schemas': {
    what: 'The shapes of requests and responses.',
    rules: {
      layers: ['src/domain', 'src/analysis'],
      packages: ['@sinclair/typebox'],
      outside: false,
    },
  },
  // The MCP server only calls the HTTP API, over any transport.
  'src/mcp': {
    what: 'The MCP server: tools and resources on top of the HTTP API.',
    rules: {
      layers: ['src/api/schemas', 'src/domain'],
      packages: ['@modelcontextprotocol/server', '@sinclair/typebox'],
      outside: true,
    },
  },
  // The client is published, and runs without the service.
  'src/client': {
    what: 'The `deliverability` command and library that people install.',
    rules: {
      layers: [
        'src/adapters/dns',
        'src/adapters/filters',
        'src/adapters/mailauth',
        'src/adapters/web',
        'src/analysis',
        'src/api/schemas',
        'src/domain',
        'src/inspection',
        'src/mcp',
        'src/ports',
      ],
      packages: [
        '@modelcontextprotocol/server',
        '@sinclair/typebox',
        'nodemailer',
        'picomatch',
        'viem',
      ],
      outside: true,
    },
  },
  'src/client/commands': {
    what: 'The commands that use a service: check, diff and those about tests.',
  },
  'src/client/delivery': { what: 'Sends an email by SMTP or by a command that the user names.' },
  'src/client/domain': { what: 'Checks what a domain publishes, without an email.' },
  'src/client/formats': {
    what: 'Prints a result as text, Markdown, JSON, JUnit, SARIF or annotations.',
  },
  'src/client/lint': { what: 'Checks message files offline, or with the user’s DNS.' },
  'src/client/parts': {
    what: 'The parts of the command that are loaded only when they are called.',
  },
  'src/client/payment': { what: 'Signs payments within the user’s limits.' },
  'src/client/service': { what: 'Calls the service’s HTTP API.' },
  'src/config': { what: 'Reads, checks and explains every setting.' },
  'src/operator': { what: 'Commands for people who run the service.' },
  'src/operator/doctor': {
    what: 'Checks an installation from outside, as senders and payers see it.',
  },
  'src/operator/replay': { what: 'Reads, verifies, backs up and explains the event log.' },
  'src/service': { what: 'Composes the service: from settings to adapters, actors and listeners.' },
  'src/setup': {
    what: 'The launcher, in plain JavaScript: fetches Node.js and nats-server before anything else is installed.',
  },
  'src/setup/node': { what: 'Pins the Node.js release that the launcher fetches.' },
};
