import { headerStep, wordsStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { whichHold } from '../definition.ts';
import { formatFound, formatList } from '../format.ts';

export const internalHeadersLeak = check({
  id: 'internal_headers_leak',
  family: 'identity',
  title: 'Internal details in headers',
  source: 'privacy practice',
  about: {
    what: 'Headers can show names, addresses and versions of systems inside of your network.',
    why: 'They help an attacker, and no receiver needs them.',
    how: [
      'Remove them at the last server of yours. In Postfix use header_checks, in Exchange a header firewall.',
    ],
    bad: 'X-Originating-IP: 10.0.3.7',
    good: '(no such header)',
  },
  subject: ({ headers }) => headers,
  states: ({ suggest, pass }) => ({
    leaking: suggest.when(
      'X-PHP-Originating-Script, X-Originating-IP, internal host names or private IPs in Received',
      ({ leaks }) => leaks.length > 0,
    ),
    clean: pass('none'),
  }),
  detail: ({ leaks }) => formatFound(leaks),
  evidence: ({ leaks }) => ({ headers: leaks }),
  fixes: {
    fix: { why: '{header} shows how your systems are built.' },
    received: { why: 'Received shows internal host names and private addresses.' },
    headers: { why: '{header} shows how your systems are built.' },
  },
  cases: ({ leaks }) =>
    whichHold({
      headers: leaks.some((name) => name !== 'Received'),
      received: leaks.includes('Received'),
    }),
  values: ({ leaks }) => ({ header: formatList(leaks.filter((name) => name !== 'Received')) }),
  steps: ({ leaks }, _, name) =>
    name === 'received'
      ? [
          wordsStep(
            'server',
            'Leave internal host names and private addresses out of Received at the outbound relay.',
            'sender',
            'Received',
          ),
        ]
      : leaks.filter((one) => one !== 'Received').map((one) => headerStep(one, null)),
});
