import { formatElapsed } from '../../analysis/format.ts';
import type { Report } from '../../domain/report/report.ts';
import type { Route } from '../../domain/report/route.ts';
import { columnsOf, type Paints } from './layout.ts';
import { plainLine } from './plain-text.ts';

const START: Readonly<Record<Route['hops'][number]['from_kind'], string>> = {
  server: 'a server',
  private: 'a machine in a private network',
  unnamed: 'a machine without a name',
  program: 'a program on the server',
};

const WHOSE: Partial<Record<string, string>> = { sender: ' (yours)', service: ' (delivered it)' };

interface Stop {
  readonly name: string;
  readonly encrypted: boolean | null;
  readonly version: string | null;
  readonly delay: number | null;
}

/** Lists the servers that the email passed through, one per line, according to its Received fields. */
export function routeLines({ message: { way }, connection }: Report, paint: Paints): string[] {
  const [first] = way?.hops ?? [];
  if (!way || !first) return [];
  const { tls } = connection;
  const stops: readonly Stop[] = [
    ...way.hops.map((hop, at) => ({
      name: `${hop.by ?? way.hops[at + 1]?.from ?? 'a server'}${WHOSE[hop.whose] ?? ''}`,
      encrypted: hop.encrypted,
      version: hop.tls_version,
      delay: hop.delay_seconds,
    })),
    {
      name: 'here',
      encrypted: !tls || tls.status === 'not_observable' ? null : tls.status === 'tls',
      version: tls?.version ?? null,
      delay: way.last_delay_seconds,
    },
  ];
  const width = Math.max(...stops.map(({ name }) => columnsOf(plainLine(name))));
  const line = ({ name, encrypted, version, delay }: Stop, at: number) => {
    const text = plainLine(name);
    const safety =
      encrypted === null
        ? ''
        : encrypted
          ? paint.good(version ?? 'TLS')
          : paint.bad('not encrypted');
    const after = delay === null ? '' : paint.dim(`after ${formatElapsed(delay)}`);
    const said = [safety, after].filter(Boolean).join(', ');
    const sign = at === stops.length - 1 ? '└' : '├';
    return `  ${sign} ${text}${said && `${' '.repeat(width - columnsOf(text) + 2)}${said}`}`;
  };
  return [
    `  ${paint.bold('The route this email took')}`,
    `  ┌ ${plainLine(first.from ?? START[first.from_kind])}`,
    ...stops.map(line),
    '',
  ];
}
