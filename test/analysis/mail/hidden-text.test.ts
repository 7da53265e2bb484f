/** Tests how hidden text in the HTML body is measured. */

import { describe, expect, test } from 'vitest';
import { htmlMail, read } from './mails.ts';

const LETTER = `<p>${'We opened the second workshop this month, and the glaze is still made by hand. '.repeat(5)}</p>`;
const UNSEEN = 'cheap watches and pills without prescription '.repeat(8);
const hiddenIn = (body: string, head = '') => read(htmlMail(body, head)).content.hiddenText;

describe('hidden text is measured in letters and digits', () => {
  test.each([
    ['one block', `${LETTER}<div style="display:none">ab 12</div>`, 4, 2],
    ['a preview text', `<div style="display:none">ab 12</div>${LETTER}`, 4, 2],
    ['two blocks', `${LETTER}<i hidden>ab</i>seen<i hidden>cd ef</i>`, 6, 3],
    ['blocks within one', `${LETTER}<div hidden><p>ab</p><p>cd</p></div>`, 4, 2],
    ['nothing', LETTER, 0, 0],
  ])('%s', (_, body, characters, words) => {
    expect(hiddenIn(body)).toMatchObject({ characters, words });
  });

  test('the filler after a preview text does not count', () => {
    const filler = '&nbsp;&zwnj;&#847;&#8199;&#65279;&#173;\u3164'.repeat(80);
    expect(hiddenIn(`<div style="display:none">ab ${filler}</div>${LETTER}`).characters).toBe(2);
  });

  test('a layout for other screens repeats what is visible', () => {
    expect(hiddenIn(`${LETTER}<div style="display:none">${LETTER}</div>`).characters).toBe(0);
    expect(hiddenIn(`${LETTER}<div hidden>${LETTER.repeat(5)}</div>`).words).toBeGreaterThan(300);
  });

  test.each([
    ['a media query', '@media (max-width: 600px) { .phone { display: block !important } }'],
    ['a reaction', '#more:checked ~ .phone { max-height: none }'],
  ])('%s shows it on other screens', (_, css) => {
    const body = `${LETTER}<div class="a phone" style="display:none">${UNSEEN}</div>`;
    expect(hiddenIn(body, `<style>${css}</style>`).characters).toBe(0);
    expect(hiddenIn(body, `<style>${css.replaceAll('.phone', '.tablet')}</style>`).words).toBe(48);
  });

  test.each([
    ['.x { display: none }', 48],
    ['td.y, .x { font-size: 0 }', 48],
    ['.x { display: none } @media (max-width: 600px) { .x { display: block } }', 0],
    ['@media (max-width: 600px) { .x { display: none } }', 0],
    ['.outer .x { display: none }', 0],
    ['.x { color: #ffffff }', 0],
    ['/* .x { display: none }', 0],
  ])('by the style sheet %s: %i words', (css, words) => {
    expect(hiddenIn(`${LETTER}<p class="x">${UNSEEN}</p>`, `<style>${css}</style>`).words).toBe(
      words,
    );
  });

  test('an element’s own style takes precedence over that of its class', () => {
    const body = `${LETTER}<p class="x"><b style="font-size:14px">${UNSEEN}</b></p>`;
    expect(hiddenIn(body, '<style>.x { font-size: 0 }</style>').words).toBe(0);
  });

  test('a style sheet of braces only is read in time', () => {
    expect(
      hiddenIn(LETTER, `<style>${'{'.repeat(50_000)}${'/*'.repeat(50_000)}</style>`).words,
    ).toBe(0);
  });
});
