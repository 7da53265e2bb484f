import { applyActions } from '../../analysis/whole/apply-actions.ts';
import type { Analysis, WholeEnvironment } from '../../analysis/whole/environment.ts';
import { IP } from '../../support/mail/inspection-environment.ts';
import { today } from './apply.ts';
import { strangers } from './dkim.ts';
import type { MailSetup } from './mail-setups.ts';

/** Rounds of doing what every finding says and looking again. */
const ROUNDS = 4;

const STRENGTH = ['none', 'quarantine', 'reject'];

const policyOf = ({ report }: Analysis): number =>
  STRENGTH.indexOf(report.authentication.dmarc.effective_policy ?? 'none');

const stepsOf = ({ report }: Analysis) =>
  report.findings
    .filter(({ severity }) => severity === 'fail' || severity === 'warn')
    .flatMap(({ actions = [] }) => today(actions));

/** A sender that may be somebody else: it is asked about, and not let in. */
function judgeAsked(seen: Analysis): readonly string[] {
  const ip = seen.facts.names.ip ?? IP;
  const letIn = stepsOf(seen).filter(
    ({ type, value }) => type === 'TXT' && value?.startsWith('v=spf1') && value.includes(ip),
  );
  const isAsked = seen.report.findings.some(({ actions = [] }) =>
    actions.some(({ kind }) => kind === 'ask'),
  );
  return [
    ...letIn.map(({ value }) => `${ip} is let in: ${value}`),
    ...(isAsked ? [] : ['nothing is asked']),
  ];
}

/** What is wrong with the fixes of a mail, done by their data alone; empty: nothing. */
export async function judgeMail(
  { situation, end }: MailSetup,
  environment: WholeEnvironment,
): Promise<readonly string[]> {
  const faults: string[] = [];
  let now: MailSetup['situation'] = situation;
  let seen = await environment.analyze(now);
  const before = policyOf(seen);
  // Signed by the server itself the mail is the sender's: the first report is the one that counts.
  if (end === 'asked') return [...strangers(stepsOf(seen)), ...judgeAsked(seen)];
  for (let round = 0; round < ROUNDS; round += 1) {
    const steps = stepsOf(seen);
    faults.push(...strangers(steps));
    const next = applyActions(now, steps);
    if (next === now) break;
    now = next;
    seen = await environment.analyze(now);
  }
  if (policyOf(seen) > before) faults.push('the policy became stricter');
  const { spf, dkim } = seen.report.authentication;
  const isAligned = dkim.some(({ result, aligned }) => result === 'pass' && aligned);
  if (!isAligned) faults.push('no aligned signature passes');
  if (spf.result !== 'pass')
    faults.push(
      `SPF ${spf.result} of ${spf.domain}: ${spf.record} ${seen.report.findings.find(({ id }) => id === 'spf_result' || id === 'spf_record')?.fix}`,
    );
  return [...new Set(faults)];
}
