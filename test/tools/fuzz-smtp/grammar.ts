import type { Prng } from '../../support/prng/prng.ts';

/** What a client does next. Text is Latin-1: a character is an octet. */
export type Step =
  /** Lines sent together; each is a command. `DATA` and `STARTTLS` are steps of their own. */
  | { readonly do: 'say'; readonly lines: readonly string[] }
  /** `ends`: with the dot; `then`: sent in the same breath. */
  | {
      readonly do: 'data';
      readonly content: string;
      readonly ends: boolean;
      readonly then: readonly string[];
    }
  /** `smuggled`: sent in plaintext right behind the command. */
  | { readonly do: 'tls'; readonly smuggled: string }
  /** Leaves without a word. */
  | { readonly do: 'vanish' };

export interface Plan {
  /** Before the greeting. */
  readonly early: string | null;
  readonly steps: readonly Step[];
  /** Octets a packet; null: everything at once. */
  readonly packet: number | null;
}

const MAX_STEPS = 25;

/** A session by an address that is open: mostly nearly right, so that every state is reached. */
export function makePlan(random: Prng, address: string): Plan {
  const steps: Step[] = [];
  if (random.chance(0.9)) steps.push({ do: 'say', lines: [hello(random)] });
  const count = 1 + random.below(MAX_STEPS);
  while (steps.length < count) steps.push(...makeSteps(random, address));
  if (random.chance(0.5)) steps.push({ do: 'say', lines: ['QUIT'] });
  return {
    early: random.chance(0.02) ? `${command(random, address)}\r\n` : null,
    steps,
    packet: random.chance(0.15) ? 1 + random.below(40) : null,
  };
}

function makeSteps(random: Prng, address: string): Step[] {
  const share = random.below(100);
  if (share < 30) return [{ do: 'say', lines: [command(random, address)] }];
  if (share < 55) {
    const lines = Array.from({ length: 2 + random.below(8) }, () => command(random, address));
    return [{ do: 'say', lines }];
  }
  if (share < 88)
    return [
      { do: 'say', lines: ['RSET', mailFrom(random), `RCPT TO:<${address}>`] },
      data(random, address),
    ];
  if (share < 96) return [data(random, address)];
  if (share < 98)
    return [{ do: 'tls', smuggled: random.chance(0.5) ? 'EHLO evil.example\r\nQUIT\r\n' : '' }];
  return share < 99 ? [{ do: 'vanish' }] : [{ do: 'say', lines: [noise(random, 5000)] }];
}

const hello = (random: Prng) =>
  `${random.pick(['EHLO', 'HELO', 'ehlo'])} ${random.pick(['mail.example.com', '[192.0.2.1]', 'x'])}`;

const mailFrom = (random: Prng) =>
  random.pick([
    'MAIL FROM:<sender@example.com>',
    'MAIL FROM:<>',
    'MAIL FROM:<sender@example.com> SIZE=1000 BODY=8BITMIME',
    'MAIL FROM:<s\xc3\xb6nder@b\xc3\xbccher.example> SMTPUTF8',
    'mail from:<"quoted local"@example.com>',
    'MAIL FROM:<@relay.example:sender@example.com>',
    'MAIL FROM:<sender@example.com> SIZE=99999999',
    'MAIL FROM:<sender@example.com> SIZE=-1',
  ]);

function command(random: Prng, address: string): string {
  const share = random.below(20);
  if (share < 3) return mailFrom(random);
  if (share < 7)
    return random.pick([
      `RCPT TO:<${address}>`,
      `RCPT TO:<${address.toUpperCase()}>`,
      `rcpt to:<zzzzzzzzzzzz@in.example.net>`,
      `RCPT TO:<${address}> ORCPT=rfc822;a@example.com`,
      'RCPT TO:<someone@example.com>',
      'RCPT TO:<postmaster>',
      'RCPT TO:<>',
      'RCPT TO:<a@b@c>',
    ]);
  if (share < 9) return hello(random);
  if (share < 13)
    return random.pick(['RSET', 'NOOP', 'HELP', 'VRFY someone', 'EXPN list', 'NOOP x']);
  if (share < 15)
    return random.pick([
      'AUTH PLAIN AGEAYg==',
      'XCLIENT ADDR=192.0.2.25 NAME=mail.example.com',
      'XCLIENT ADDR=[UNAVAILABLE] HELO=stated.example',
      'XCLIENT ADDR=not-an-address',
      'XFORWARD ADDR=192.0.2.1',
      'BDAT 10 LAST',
      'ETRN example.com',
      'TURN',
    ]);
  if (share < 18) return mutate(random, random.pick([mailFrom(random), hello(random), 'RSET']));
  return noise(random, random.chance(0.05) ? 4200 : 60);
}

/** No line end inside, and no step of its own by chance. */
function mutate(random: Prng, line: string): string {
  const at = random.below(line.length + 1);
  const put = random.pick(['\0', '\xff', '\t', ' ', '<', '>', '@', '\r', '=', '\x1b', '']);
  return `${line.slice(0, at)}${put}${line.slice(at + random.below(2))}`;
}

function noise(random: Prng, longest: number): string {
  let text = '~';
  for (let left = random.below(longest); left > 0; left--)
    text += String.fromCharCode(random.below(256));
  return text.replaceAll('\n', ' ');
}

const NO_ENDS = [
  '\n.\n',
  '\n.\r\n',
  '\r.\r',
  '\r.\r\n',
  '\r\n.\n',
  '\r\n.\r',
  '\r\n\0.\r\n',
] as const;

function data(random: Prng, address: string): Step {
  const smuggled = `MAIL FROM:<evil@example.org>\r\nRCPT TO:<${address}>\r\nDATA\r\nX: y\r\n`;
  const parts = [
    () => 'From: <sender@example.com>\r\nSubject: hello\r\n\r\nA body.\r\n',
    () => `X: ${noise(random, 300)}\r\n`,
    () => `a${random.pick(NO_ENDS)}${smuggled}`,
    () => '..\r\n...\r\n.dot\r\n',
    () => `X: y\r\n`.repeat(random.below(1200)),
    () => `${'a'.repeat(random.below(90_000))}\r\n`,
    () => '',
  ] as const;
  let content = '';
  for (let left = 1 + random.below(3); left > 0; left--) content += random.pick(parts)();
  const then = random.chance(0.2) ? ['NOOP', mailFrom(random)] : [];
  return { do: 'data', content, ends: random.chance(0.9), then };
}
