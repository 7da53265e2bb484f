import type { Report } from '../../../src/domain/report/report.ts';
import type { Case } from '../../analysis/whole/case.ts';
import { startWholeEnvironment } from '../../analysis/whole/environment.ts';
import { newsletter, page } from '../../analysis/whole/mails.ts';
import { elsewhere, type Setup, setup } from '../../analysis/whole/setups.ts';
import { dmarc, KEY, ORIGIN, spf } from '../../analysis/whole/zone.ts';

const LONG = `${'a-very-long-label-of-sixty-three-characters-that-no-screen-holds-x.'.repeat(3)}example.com`;

const HOSTILE = '"><img src=x onerror=alert(1)>\u202egnp.exe';

/** Senders whose reports look different: each a real mail and a real zone. */
const senders: Readonly<Record<string, Setup>> = {
  good: {},
  'no-spf': setup({ zone: { 'example.com': ORIGIN } }),
  'broken-spf': setup({ zone: spf('v=spf1 ipv4:192.0.2.25 include:gone.example -all') }),
  'key-missing': setup({ zone: { [KEY]: null } }),
  'no-dmarc': setup({ zone: { '_dmarc.example.com': null } }),
  'not-aligned': setup({
    ...elsewhere('esp.example'),
    zone: { ...elsewhere('esp.example').zone, ...dmarc('v=DMARC1; p=none') },
  }),
  content: setup({
    mail: newsletter(
      {
        'List-Unsubscribe': null,
        'List-Unsubscribe-Post': null,
        Subject: 'RE: FREE MONEY!!! ACT NOW',
      },
      {
        text: '',
        html: page(
          '<p>Buy now</p><img src="http://198.51.100.9/a.png"><a href="https://bit.ly/x">www.example.com/login</a><form action="https://x.example"><input type="password"></form><script>1</script>',
          '',
          '',
        ),
      },
    ),
  }),
  blocklisted: setup({ zone: { '25.2.0.192.bl.spamcop.net': { A: ['127.0.0.2'] } } }),
  long: setup({
    ...elsewhere(LONG),
    client: { helo: LONG },
    zone: {
      ...elsewhere(LONG).zone,
      ...spf(`v=spf1 ${'include:_spf.a-long-provider-name.example '.repeat(9)}~all`),
      '25.2.0.192.in-addr.arpa': { PTR: [LONG, `mail.${LONG}`] },
    },
  }),
  hostile: setup({
    mail: newsletter({
      From: `"${HOSTILE}" <news@example.com>`,
      Subject: `<script>alert(1)</script>${HOSTILE}`,
      'List-Id': `<b>x</b> <${HOSTILE}>`,
    }),
    client: { helo: '<script>alert(1)</script>' },
    zone: {
      ...spf(`v=spf1 include:${HOSTILE} exp=<script>alert(1)</script> -all`),
      ...dmarc(`v=DMARC1; p=none; rua=mailto:"><svg/onload=alert(1)>@example.com`),
      '_mta-sts.example.com': { TXT: ['v=STSv1; id=<b onclick=alert(1)>'] },
      'default._bimi.example.com': {
        TXT: ['v=BIMI1; l=javascript:alert(1); a=data:text/html,<script>alert(1)</script>'],
      },
    },
  }),
};

/** The reports on them, by the name of the sender. */
export async function makeReports(): Promise<ReadonlyMap<string, Report>> {
  const environment = await startWholeEnvironment();
  const reports = new Map<string, Report>();
  for (const [name, one] of Object.entries(senders) as [string, Omit<Case, 'about' | 'states'>][])
    reports.set(name, (await environment.analyze(one)).report);
  await environment.stop();
  return reports;
}
