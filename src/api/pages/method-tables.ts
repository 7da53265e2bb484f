import { MAIL_CLASSES } from '../../domain/report/message.ts';
import { requirements } from '../../domain/requirements.ts';
import { type describeFinding, describeFindings } from '../catalogue.ts';
import type { Site } from './site.ts';
import { html } from './view/html.mjs';

type Finding = ReturnType<typeof describeFinding>;

const ORDER = ['fail', 'warn'];

/** The result of a check that costs most. */
const worstOf = ({ states }: Finding) =>
  states
    .filter(({ severity }) => ORDER.includes(severity))
    .toSorted((one, other) => other.points - one.points)
    .find(({ points }) => points > 0);

/** What each check costs at worst, and where that comes from. */
export function priceTable({ t, href }: Site) {
  const rows = describeFindings('').findings.flatMap((finding) => {
    const worst = worstOf(finding);
    return worst ? [{ finding, worst }] : [];
  });
  return html`<h2>${t('method_prices')}</h2><p>${t('method_prices_help')}</p>
<table class="stack"><thead><tr><th scope="col">${t('method_check')}</th><th scope="col">${t('finding_points')}</th><th scope="col">${t('method_cap')}</th><th scope="col">${t('method_source')}</th></tr></thead><tbody>${rows.map(
    ({ finding: { id, title, reference }, worst }) => html`
<tr><th scope="row"><a href="${href(`/findings/${id}`)}">${title}</a></th><td>${worst.points}</td><td>${worst.score_cap ?? ''}</td><td>${reference}</td></tr>`,
  )}</tbody></table>`;
}

/** The kinds of mail. */
export function kindsTable({ t }: Site) {
  return html`<h2>${t('method_kinds')}</h2><p>${t('method_kinds_help')}</p>
<dl>${Object.entries(MAIL_CLASSES).map(
    ([name, text]) => html`
<dt><code>${name}</code></dt><dd>${text}</dd>`,
  )}</dl>`;
}

/** The signs of impersonation. */
export function signsTable({ t }: Site) {
  const { fixes = {} } =
    describeFindings('').findings.find(({ id }) => id === 'impersonation') ?? {};
  return html`<h2>${t('method_signs')}</h2><p>${t('method_signs_help')}</p>
<ul>${Object.values(fixes).map((text) => html`<li>${text}</li>`)}</ul>`;
}

/** What the receivers publish, and the checks that decide it. */
export function requirementTable({ t }: Site) {
  const rows = requirements.map(({ receiver, text, since, source, all, any = [] }) => {
    const ids = [...all, ...any].map(({ id }) => id);
    return html`
<tr><th scope="row">${receiver}</th><td><a href="${source}" rel="noreferrer">${text}</a></td><td>${since}</td><td>${ids.join(', ')}</td></tr>`;
  });
  return html`<h2>${t('method_requirements')}</h2><p>${t('method_requirements_help')}</p>
<table class="stack"><thead><tr><th scope="col">${t('method_receiver')}</th><th scope="col">${t('method_requirement')}</th><th scope="col">${t('method_since')}</th><th scope="col">${t('method_decided')}</th></tr></thead><tbody>${rows}</tbody></table>`;
}
