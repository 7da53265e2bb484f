/**
 * Draws how SPF, DKIM and DMARC connect the sending server with the address that readers see.
 *
 * @import { Report } from '../../../domain/report/report.ts'
 * @import { Context } from './html.mjs'
 */
import { html } from './html.mjs';

/** @typedef {'good' | 'bad' | 'open'} Tone */
/** @typedef {{ readonly x: number, readonly y: number, readonly w: number }} Box */
/**
 * @typedef {{ readonly viewBox: string, readonly boxes: Readonly<Record<'ip' | 'envelope' | 'signer' | 'from'
 * | 'dmarc', Box>>, readonly aside: number, readonly name: string }} Layout `aside`: how far the sign of a
 * line is moved towards the outer box, so that two signs do not overlap
 */

const HEIGHT = 62;

/** Width of a letter, in units of the drawing, in the widest fonts that readers use. */
const LETTER = 9.4;
const SMALL_LETTER = 7.4;

/** @type {Layout} */
const wide = {
  name: 'wide',
  viewBox: '0 0 960 260',
  aside: 0.5,
  boxes: {
    ip: { x: 4, y: 99, w: 180 },
    envelope: { x: 292, y: 12, w: 208 },
    signer: { x: 292, y: 186, w: 208 },
    from: { x: 612, y: 99, w: 180 },
    dmarc: { x: 856, y: 99, w: 100 },
  },
};

/** @type {Layout} */
const tall = {
  name: 'tall',
  viewBox: '0 0 344 474',
  aside: 0.75,
  boxes: {
    ip: { x: 72, y: 4, w: 200 },
    envelope: { x: 2, y: 140, w: 162 },
    signer: { x: 180, y: 140, w: 162 },
    from: { x: 72, y: 276, w: 200 },
    dmarc: { x: 112, y: 408, w: 120 },
  },
};

/** @param {string} text @param {number} most */
const shorten = (text, most) => (text.length <= most ? text : `…${text.slice(1 - most)}`);

/**
 * Returns the DMARC policy as its record states it, with the tag that applies to the From domain.
 *
 * @param {Report['authentication']['dmarc']} dmarc
 */
function policyOf(dmarc) {
  const effective = dmarc.effective_policy ?? dmarc.policy;
  if (!effective) return undefined;
  if (dmarc.testing) return `${effective} (t=y)`;
  const { policy: p, subdomain_policy: sp, nonexistent_policy: np } = dmarc;
  const [tag] = Object.entries({ p, sp, np }).find(([, one]) => one === effective) ?? ['p'];
  return `${tag}=${effective}`;
}

/**
 * Returns the facts behind the drawing: which server sent the email, for which domain, who signed it, and
 * whether SPF and DKIM match the From domain.
 *
 * @param {Context} context
 * @param {Report} report
 */
function senderPathOf({ t }, { authentication, connection, message }) {
  const { spf, dkim, dmarc } = authentication;
  const signature =
    dkim.find(({ result, aligned }) => result === 'pass' && aligned) ??
    dkim.find(({ result }) => result === 'pass') ??
    dkim[0];
  /** @param {string} result @returns {Tone} */
  const tone = (result) =>
    result === 'pass' ? 'good' : ['none', 'neutral', 'temperror'].includes(result) ? 'open' : 'bad';
  const from = message.header_from.domain;
  /** @param {boolean} passes @param {boolean} aligned @param {string} domain @returns {{ tone: Tone, text: string }} */
  const alignment = (passes, aligned, domain) => ({
    tone: passes && aligned ? 'good' : aligned ? 'open' : 'bad',
    // A name cannot differ from itself, so the text says that the From domain is not proved.
    text: t(aligned ? 'aligned' : domain === from ? 'not_proved' : 'not_aligned'),
  });
  return {
    ip: connection.ip ?? t('unknown'),
    host: connection.ptr?.[0] ?? connection.helo ?? '',
    envelope: spf.domain || t('unknown'),
    signer: signature ? signature.domain || t('unknown') : t('no_signature'),
    selector: signature?.selector ? `${t('selector')} ${signature.selector}` : '',
    from: from ?? t('unknown'),
    policy: policyOf(dmarc) ?? t('no_policy'),
    spf: { tone: tone(spf.result), text: `SPF ${spf.result}` },
    dkim: {
      tone: signature ? tone(signature.result) : /** @type {Tone} */ ('bad'),
      text: `DKIM ${signature?.result ?? 'none'}`,
    },
    spfAligned: alignment(spf.result === 'pass', spf.aligned, spf.domain ?? ''),
    dkimAligned:
      signature &&
      alignment(
        signature.result === 'pass',
        dmarc.adkim === 's' ? (signature.strict_aligned ?? false) : signature.aligned,
        signature.domain ?? '',
      ),
    dmarc: { tone: tone(dmarc.result), text: `DMARC ${dmarc.result}` },
  };
}

/** @typedef {ReturnType<typeof senderPathOf>} SenderPath */

/**
 * @param {Box} box
 * @param {string} label
 * @param {string} text
 * @param {string} below
 * @param {Tone | ''} [tone]
 */
function node({ x, y, w }, label, text, below, tone = '') {
  const middle = x + w / 2;
  /** @param {number} size of a letter, at most */
  const fitting = (size) => Math.floor((w - 12) / size);
  const long = text.length > fitting(LETTER);
  return html`
<g class="node ${tone}"><title>${label}: ${text} ${below}</title><rect x="${x}" y="${y}" width="${w}" height="${HEIGHT}" rx="10"/>
<text class="node-label" x="${middle}" y="${y + (below ? 18 : 25)}">${label}</text><text class="node-text${long ? ' long' : ''}" x="${middle}" y="${y + (below ? 36 : 45)}">${shorten(text, fitting(long ? SMALL_LETTER : LETTER))}</text>${below && html`<text class="node-label" x="${middle}" y="${y + 53}">${shorten(below, fitting(SMALL_LETTER))}</text>`}</g>`;
}

/**
 * Draws a line between two boxes, with the sign and text of its result in the middle.
 *
 * @param {Layout} layout
 * @param {Box} from
 * @param {Box} to
 * @param {{ tone: Tone, text: string }} edge
 * @param {boolean} [outward]
 */
function edge({ name, aside }, from, to, { tone, text }, outward = true) {
  const across = name === 'wide';
  const [x1, y1] = across
    ? [from.x + from.w, from.y + HEIGHT / 2]
    : [from.x + from.w / 2, from.y + HEIGHT];
  const [x2, y2] = across ? [to.x, to.y + HEIGHT / 2] : [to.x + to.w / 2, to.y];
  const half = text.length * 3.5 + 9;
  const share = outward ? aside : 1 - aside;
  const [x, y] = [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share];
  return html`
<g class="edge ${tone}"><path d="M${x1} ${y1} L${x2} ${y2}"/><rect x="${x - half}" y="${y - 12}" width="${2 * half}" height="24" rx="12"/><text x="${x}" y="${y + 4}">${text}</text></g>`;
}

/**
 * @param {Context} context
 * @param {Layout} layout
 * @param {SenderPath} chain
 * @param {string} label
 */
function draw({ t }, layout, chain, label) {
  const { boxes } = layout;
  return html`
<svg class="chain ${layout.name}" viewBox="${layout.viewBox}" role="img" aria-label="${label}">
${edge(layout, boxes.ip, boxes.envelope, chain.spf)}${edge(layout, boxes.ip, boxes.signer, chain.dkim)}
${edge(layout, boxes.envelope, boxes.from, chain.spfAligned, false)}${chain.dkimAligned ? edge(layout, boxes.signer, boxes.from, chain.dkimAligned, false) : ''}
<g class="edge ${chain.dmarc.tone}">${layout === wide ? html`<path d="M${boxes.from.x + boxes.from.w} ${boxes.from.y + HEIGHT / 2} H${boxes.dmarc.x}"/>` : html`<path d="M172 ${boxes.from.y + HEIGHT} V${boxes.dmarc.y}"/>`}</g>
${node(boxes.ip, t('chain_ip'), chain.ip, chain.host)}
${node(boxes.envelope, t('chain_envelope'), chain.envelope, '', chain.spf.tone)}
${node(boxes.signer, t('chain_signer'), chain.signer, chain.selector, chain.dkim.tone)}
${node(boxes.from, t('chain_from'), chain.from, '')}
${node(boxes.dmarc, 'DMARC', chain.dmarc.text.slice(6), chain.policy, chain.dmarc.tone)}
</svg>`;
}

/**
 * Draws how the sending server, the envelope and the signatures of this email are connected with the address
 * that readers see.
 *
 * @param {Context} context
 * @param {Report} report
 */
export function senderDrawing(context, report) {
  const { t } = context;
  const facts = senderPathOf(context, report);
  const label = t('chain_alt', {
    ip: facts.ip,
    spf: facts.spf.text,
    envelope: facts.envelope,
    spf_aligned: facts.spfAligned.text,
    dkim: facts.dkim.text,
    signer: facts.signer,
    dkim_aligned: facts.dkimAligned?.text ?? t('not_aligned'),
    from: facts.from,
    dmarc: `${facts.dmarc.text}, ${facts.policy}`,
  });
  const good = facts.dmarc.tone === 'good';
  return html`
<section class="panel" aria-labelledby="chain">
<h2 id="chain">${t('chain_title')}</h2>
<p>${t(good ? 'chain_good' : facts.dmarc.tone === 'open' ? 'chain_open' : 'chain_bad', { from: facts.from })}</p>
${draw(context, wide, facts, label)}${draw(context, tall, facts, label)}
<details><summary>${t('chain_words')}</summary><ul><li>${t('chain_help_spf')}</li><li>${t('chain_help_dkim')}</li><li>${t('chain_help_dmarc')}</li></ul></details>
</section>`;
}
