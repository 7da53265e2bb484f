interface Usage {
  readonly does: string;
  readonly line: string;
  readonly groups: readonly (readonly [string, string])[][];
}

const service = [
  ['--service URL', 'The service. Else DELIVERABILITY_URL.'],
  ['--retry-for SECONDS', 'How long an outage is waited out. 60.'],
] as const;

const payment = [
  ['--key-file FILE', 'The private key of a wallet with USDC. Else DELIVERABILITY_KEY_FILE,'],
  ['', 'or the key itself in DELIVERABILITY_KEY.'],
  ['--max-price USD', 'The most that a report may cost. 0.05.'],
  ['--pay-to ADDRESS', 'The only payee. Else the one that the service names.'],
  ['--network NAME', 'eip155:8453 (Base), or eip155:84532 (Base Sepolia).'],
] as const;

const criteria = [
  ['--min-score N', 'Ends with 1 below this score.'],
  ['--fail-on SEVERITY', 'Ends with 1 if a finding is fail, or warn; never: none does.'],
  ['', 'Without --min-score and --require it is fail.'],
  ['--require ID,ID', 'Ends with 1 unless these findings pass.'],
  ['--format NAME[=FILE]', 'view, json, junit, sarif, github or markdown, to stdout or a file.'],
  ['', 'Several with a file each.'],
  ['--findings', 'The view shows every finding.'],
] as const;

const soft = [['--soft', 'Ends with 0 while the service is away.']] as const;

const usages: Readonly<Record<string, Usage>> = {
  check: {
    does: 'Creates a test, has one mail sent to it, pays for the report and judges it.',
    line: 'check [--send COMMAND | --smtp URL --from ADDRESS] [options]',
    groups: [
      [
        [
          '--send COMMAND',
          'Runs it with the address in place of {address}. Without --send and --smtp',
        ],
        ['', 'the address is printed, and you send the mail.'],
        ['--smtp URL', 'smtp://user:password@host:587. Else DELIVERABILITY_SMTP_URL.'],
        ['--from ADDRESS', 'The sender of that mail.'],
        ['--mail FILE', 'The mail to send, with {address} where the recipient goes.'],
        ['--timeout SECONDS', 'How long the mail may take. 600, and 3600 if you send it.'],
      ],
      [...service],
      [...payment],
      [...criteria, ...soft],
    ],
  },
  new: {
    does: 'Creates a test and prints it. The read token is shown only once.',
    line: 'new [--save FILE] [options]',
    groups: [
      [['--save FILE', 'Keeps the test with its token in a file, and prints the address alone.']],
      [...service],
    ],
  },
  wait: {
    does: 'Waits until the report of a test is ready, and prints the status.',
    line: 'wait TEST [options]',
    groups: [
      [
        ['TEST', 'The id of a test, or the file of `new --save`.'],
        ['--timeout SECONDS', '3600.'],
      ],
      [...service, ...soft],
    ],
  },
  report: {
    does: 'Reads the report of a test, pays for it where that is still to be done, and judges it.',
    line: 'report TEST [options]',
    groups: [
      [
        [
          'TEST',
          'The file of `new --save`, or an id, with the token in DELIVERABILITY_READ_TOKEN.',
        ],
      ],
      [...service],
      [...payment],
      [...criteria, ...soft],
    ],
  },
  delete: {
    does: 'Deletes a test and its report at once.',
    line: 'delete TEST [options]',
    groups: [
      [
        [
          'TEST',
          'The file of `new --save`, or an id, with the token in DELIVERABILITY_READ_TOKEN.',
        ],
      ],
      [...service],
    ],
  },
  diff: {
    does: 'Compares two reports that were saved by --format json=FILE. Ends with 1 if one is worse.',
    line: 'diff BEFORE AFTER [--format view|json|markdown]',
    groups: [],
  },
  lint: {
    does: 'Judges a mail in a file, here: no service, no network, no payment.',
    line: 'lint FILE [options]',
    groups: [
      [
        ['FILE', 'The mail; - is stdin.'],
        [
          '--dns ZONE',
          'A zone file with the DNS records, such as `dig` prints them. What is not in it',
        ],
        ['', 'is not checked.'],
        ['--ip ADDRESS', 'The server that would send it. Without it SPF is not checked.'],
        ['--helo NAME', 'Its HELO name.'],
        ['--from ADDRESS', 'The envelope sender. Else Return-Path, else From.'],
        ['--to ADDRESS', 'The recipient. Else the first one of the mail.'],
        ['--at TIME', 'When it arrives. Else its Date.'],
        ['--smtputf8', 'It is sent with SMTPUTF8, so that its headers may hold any letters.'],
      ],
      [...criteria],
    ],
  },
  mcp: {
    does: 'Serves the tests to an agent, by the Model Context Protocol over stdio.',
    line: 'mcp [options]',
    groups: [
      [...service],
      [
        ...payment,
        ['--budget USD', 'The most that is signed for while it runs. As much as --max-price.'],
      ],
    ],
  },
};

const CODES = `Exit codes: 0 good, 1 below what you ask for, 2 a mistake in the command line, 3 the mail was refused
or not received, 4 no payment, 5 the service is away.`;

/** What `--help` prints: of one command, or of all. */
export function commandUsage(name?: string): string {
  const one = name === undefined ? undefined : usages[name];
  if (one) {
    const groups = one.groups.map((rows) => rows.map(toLine).join('\n'));
    return `${[`deliverability ${one.line}`, one.does, ...groups, CODES].join('\n\n')}\n`;
  }
  const lines = Object.entries(usages).map(([key, { does }]) => `  ${key.padEnd(8)}${does}`);
  return `${['deliverability COMMAND [options]', lines.join('\n'), CODES].join('\n\n')}\n\n\`deliverability COMMAND --help\` explains one. --version prints the version.\n`;
}

const toLine = ([option, text]: readonly [string, string]) => `  ${option.padEnd(22)}${text}`;
