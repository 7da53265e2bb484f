import {
  ACTION_SOURCES,
  ACTIONS_AS_OF,
  EFFECT_LEVELS,
  RECEIVER_ACTIONS,
  RECEIVERS,
} from '../../domain/receiver-actions.ts';
import { MAIL_CLASSES } from '../../domain/report/message.ts';
import { requirements } from '../../domain/requirements.ts';
import { type describeFinding, describeFindings, type describeMethod } from '../catalogue.ts';
import type { Page } from './layout.ts';
import type { Site } from './site.ts';
import type { StringKey } from './texts.ts';
import { html } from './view/html.mjs';

const STEPS: readonly StringKey[] = [
  'method_step_1',
  'method_step_2',
  'method_step_3',
  'method_step_4',
  'method_step_5',
];

/**
 * Renders `/method`, which explains how findings become a score, with tables of what each check costs, of
 * what receivers say that they reject, defer or mark, of the kinds of email, of the signs of impersonation,
 * and of the receivers' requirements.
 */
export function methodPage(site: Site, method: ReturnType<typeof describeMethod>): Page {
  const { t } = site;
  const grades = Object.entries(method.grades).map(
    ([grade, from]) => html`
<li><strong class="grade grade-${grade.toLowerCase()}">${grade}</strong><span>${t(`verdict_${grade}` as StringKey)}</span><span class="quiet">${t('method_from', { n: from })}</span></li>`,
  );
  const caps = Object.entries(method.family_caps)
    .sort(([, a], [, b]) => b - a)
    .map(
      ([family, cap]) => html`
<tr><th scope="row">${t(`family_${family}` as StringKey)}</th><td>${cap === 0 ? t('method_none') : cap}</td></tr>`,
    );
  return {
    path: '/method',
    title: t('method_title'),
    description: t('method_description'),
    body: html`<div class="prose"><h1>${t('method_title')}</h1><p class="lead">${t('method_lead')}</p>
<h2>${t('method_grades')}</h2><ul class="grades">${grades}</ul>
<h2>${t('method_steps')}</h2><ol>${STEPS.map((step) => html`<li>${t(step, { cap: method.any_fail_cap })}</li>`)}</ol>
<h2>${t('method_caps')}</h2><p>${t('method_caps_help')}</p>
<table><thead><tr><th scope="col">${t('method_group')}</th><th scope="col">${t('finding_points')}</th></tr></thead><tbody>${caps}</tbody></table>
${actionsTable(site)}
${priceTable(site)}
${kindsTable(site)}
${signsTable(site)}
${requirementTable(site)}
<h2 id="not">${t('method_not')}</h2><p>${t('method_not_text')}</p></div>`,
  };
}

type Finding = ReturnType<typeof describeFinding>;

const ORDER = ['fail', 'warn'];

/** Returns the state of a check that costs the most points. */
const worstOf = ({ states }: Finding) =>
  states
    .filter(({ severity }) => ORDER.includes(severity))
    .toSorted((one, other) => other.points - one.points)
    .find(({ points }) => points > 0);

/** Renders a table with the highest cost of each check, and its source. */
function priceTable({ t, href }: Site) {
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

const RECEIVER_NAMES = { gmail: 'Gmail', yahoo: 'Yahoo', microsoft: 'Microsoft', apple: 'Apple' };

/** Renders what receivers say that they reject, defer or mark, next to the score that follows from it. */
function actionsTable({ t }: Site) {
  const scoresOf = (level: string) => {
    const [lowest, highest] = EFFECT_LEVELS[level]?.scores ?? [0, 100];
    return lowest === highest ? String(highest) : `${lowest} – ${highest}`;
  };
  const rows = RECEIVER_ACTIONS.map(({ when, level, says }) => {
    const said = RECEIVERS.flatMap((one) =>
      says[one] ? `${RECEIVER_NAMES[one]} ${says[one]}` : [],
    );
    return html`
<tr><th scope="row">${when}</th><td>${said.join('; ')}</td><td>${scoresOf(level)}</td></tr>`;
  });
  const sources = RECEIVERS.map(
    (one) => html` <a href="${ACTION_SOURCES[one]}" rel="noreferrer">${RECEIVER_NAMES[one]}</a>`,
  );
  return html`<h2>${t('method_actions')}</h2><p>${t('method_actions_help', { day: ACTIONS_AS_OF })} ${t('method_source')}:${sources}</p>
<ul>${Object.entries(EFFECT_LEVELS).map(([level, { means }]) => html`<li>${scoresOf(level)}: ${means}</li>`)}</ul>
<table class="stack"><thead><tr><th scope="col">${t('method_seen')}</th><th scope="col">${t('method_said')}</th><th scope="col">${t('method_left')}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** Renders a table of the kinds of email. */
function kindsTable({ t }: Site) {
  return html`<h2>${t('method_kinds')}</h2><p>${t('method_kinds_help')}</p>
<dl>${Object.entries(MAIL_CLASSES).map(
    ([name, text]) => html`
<dt><code translate="no">${name}</code></dt><dd>${text}</dd>`,
  )}</dl>`;
}

/** Renders a table of the signs of impersonation. */
function signsTable({ t }: Site) {
  const { fixes = {} } =
    describeFindings('').findings.find(({ id }) => id === 'impersonation') ?? {};
  return html`<h2>${t('method_signs')}</h2><p>${t('method_signs_help')}</p>
<ul>${Object.values(fixes).map((text) => html`<li>${text}</li>`)}</ul>`;
}

/** Renders the receivers' published requirements, and the checks that decide each requirement. */
function requirementTable({ t }: Site) {
  const rows = requirements.map(({ receiver, text, since, source, all, any = [] }) => {
    const ids = [...all, ...any].map(({ id }) => id);
    return html`
<tr><th scope="row">${RECEIVER_NAMES[receiver]}</th><td><a href="${source}" rel="noreferrer">${text}</a></td><td>${since}</td><td>${ids.join(', ')}</td></tr>`;
  });
  return html`<h2>${t('method_requirements')}</h2><p>${t('method_requirements_help')}</p>
<table class="stack"><thead><tr><th scope="col">${t('method_receiver')}</th><th scope="col">${t('method_requirement')}</th><th scope="col">${t('method_since')}</th><th scope="col">${t('method_decided')}</th></tr></thead><tbody>${rows}</tbody></table>`;
}
