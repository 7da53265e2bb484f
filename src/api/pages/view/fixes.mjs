/**
 * @import { Fix, Report } from '../../../domain/report/report.ts'
 * @import { Action } from '../../../domain/report/action.ts'
 * @import { Context } from './context.mjs'
 * @import { StringKey } from '../texts.ts'
 */
import { html } from './html.mjs';
import { isRecord, recordForm } from './records.mjs';

/** @param {Report} report */
const publisherOf = ({ message: { header_from } }) => ({
  domain: header_from.organizational_domain ?? header_from.domain,
  servers: header_from.name_servers ?? [],
});

/** @param {Report} report @param {string} id */
const findingOf = ({ findings }, id) => findings.find((one) => one.id === id);

/** Says when two steps are the same record. @param {Action} action */
const keyOf = ({ operation, name, type, value }) => [operation, name, type, value].join(' ');

/** The number of the fix that shows a record first. @param {Report} report @returns {ReadonlyMap<string, number>} */
function firstShown(report) {
  const first = new Map();
  report.top_fixes.forEach(({ id }, i) => {
    for (const action of findingOf(report, id)?.actions ?? [])
      if (isRecord(action) && !first.has(keyOf(action))) first.set(keyOf(action), i + 1);
  });
  return first;
}

/**
 * The text of a fix, with each record that a line ends in set apart, ready to copy. A record that an
 * earlier fix shows is not shown again.
 *
 * @param {Context} context
 * @param {Report} report
 * @param {{ readonly fix: string, readonly actions: readonly Action[], readonly number?: number | undefined }} step
 */
export function steps(context, report, { fix, actions, number = Number.POSITIVE_INFINITY }) {
  const first = firstShown(report);
  const records = actions.filter(isRecord);
  const shown = new Set();
  /** @param {Action} action */
  const show = (action) => {
    shown.add(action);
    const before = first.get(keyOf(action)) ?? number;
    return before < number
      ? html`<p class="quiet"><a href="#fix-${before}">${context.t('same_record', { n: before })}</a></p>`
      : recordForm(context, action, publisherOf(report));
  };
  const lines = fix.split('\n').map((line) => {
    const found = records.find(
      (one) =>
        !shown.has(one) && one.value !== null && one.value !== '' && line.endsWith(one.value),
    );
    if (!found?.value) return html`<p>${line}</p>`;
    // Where the value is all that is to do, it is the text.
    const text = found.operation === 'do' ? line : line.slice(0, -found.value.length).trimEnd();
    return html`<p>${text}</p>${show(found)}`;
  });
  return html`${lines}${records.filter((one) => !shown.has(one)).map(show)}`;
}

/**
 * One card.
 *
 * @param {Context} context
 * @param {Report} report
 * @param {Fix} fix
 * @param {number} [number] its place among those to make first
 */
function card(context, report, { id, title, fix }, number) {
  const { t, href } = context;
  const finding = findingOf(report, id);
  const actions = finding?.actions ?? [];
  const owners = [...new Set(actions.map(({ owner }) => owner))];
  // What the score gains by it, as the judge computed it: at the floor or under a cap less than it costs.
  const points = Math.max(0, ...actions.map((action) => action.points));
  return html`
<li class="card fix"${number && html` id="fix-${number}"`}>
<header>${number && html`<span class="number" aria-hidden="true">${number}</span>`}<h3>${title}</h3>
${points > 0 && html`<span class="chip gain">${t('gain', { points })}</span>`}</header>
${steps(context, report, { fix, actions, number })}
${finding?.detail && html`<p class="evidence">${t('seen')} <span>${finding.detail}</span></p>`}
<footer class="quiet">${owners.map((owner) => html`<span class="chip">${t(/** @type {StringKey} */ (`owner_${owner}`))}</span> `)}
<a href="${href(`/findings/${id}`)}">${t('learn_more')}<span class="visually-hidden">: ${title}</span></a></footer>
</li>`;
}

/** @param {Context} context @param {Report} report */
export function fixes(context, report) {
  const { t } = context;
  const { top_fixes, suggestions } = report;
  return html`
<section aria-labelledby="fixes">
<h2 id="fixes">${t(top_fixes.length === 0 ? 'fix_nothing' : 'fix_first')}</h2>
${top_fixes.length === 0 ? html`<p class="note pass">${t('nothing_to_fix')}</p>` : html`<ol class="cards">${top_fixes.map((fix, i) => card(context, report, fix, i + 1))}</ol>`}
${suggestions.length > 0 && html`<details class="panel"><summary>${t('suggestions', { n: suggestions.length })}</summary><ul class="cards">${suggestions.map((fix) => card(context, report, fix))}</ul></details>`}
</section>`;
}
