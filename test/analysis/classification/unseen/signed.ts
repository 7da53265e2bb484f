/**
 * Business letters whose signatures contain logos, pictures, links to networks and tables, and marketing
 * emails that look similar. Their kinds were decided before any of them was classified.
 */

import type { UnseenMail } from './unseen-mail.ts';

const NETWORKS = ['linkedin.com/company', 'facebook.com', 'instagram.com', 'youtube.com'];

/** Returns links to profiles on networks as text, as in a plain signature. */
const named = (domain: string, count = 2): string =>
  NETWORKS.slice(0, count)
    .map((network) => `<a href="https://www.${network}/${domain}">${network}</a>`)
    .join(' | ');

/** Returns a logo and the icons of networks, as signature generators write them. */
const icons = (domain: string, count = 3): string =>
  `<p><img src="https://${domain}/logo.png" alt="Logo" width="120" height="40"></p><p>${NETWORKS.slice(
    0,
    count,
  )
    .map(
      (network, at) =>
        `<a href="https://www.${network}/${domain}"><img src="https://${domain}/${at}.png" alt="${network}" width="20" height="20"></a>`,
    )
    .join(
      ' ',
    )}</p><p><a href="https://${domain}/">${domain}</a> | <a href="mailto:info@${domain}">info@${domain}</a> | <a href="https://${domain}/imprint">Imprint</a></p>`;

const paragraphs = (...texts: readonly string[]): string =>
  texts.map((text) => `<p>${text}</p>`).join('');

/** Returns nested tables, as signature generators and designed email use them. */
const inTables = (html: string, depth = 5): string =>
  depth === 0 ? html : `<table><tr><td>${inTables(html, depth - 1)}</td></tr></table>`;

const LONG = 'We looked at every line of it with the people who will do the work. '.repeat(16);

/** Letters from the address of a person. */
export const signedLetters: readonly UnseenMail[] = [
  {
    about: 'German, a quotation with icons',
    from: 'Jonas Weidner <jonas.weidner@weidner-metallbau.example>',
    subject: 'Unser Angebot 4711 für das Geländer',
    body: `${paragraphs('Sehr geehrter Herr Kolb,', 'anbei unser Angebot für das Geländer.', 'Jonas Weidner')}${icons('weidner-metallbau.example')}`,
  },
  {
    about: 'Danish, a quotation with links to networks',
    from: 'Mette Holm <mette@holm-vvs.example>',
    subject: 'Tilbud på nyt badeværelse',
    body: `${paragraphs('Hej Lars', 'Her er vores tilbud, som vi talte om.', 'Mette Holm')}${named('holm-vvs.example')}`,
  },
  {
    about: 'Italian, an offer in five nested tables of a signature',
    from: 'Carla Rinaldi <carla.rinaldi@rinaldi-serramenti.example>',
    subject: 'Offerta per gli infissi',
    body: `${paragraphs('Buongiorno signora Bruni,', 'le invio la nostra offerta per gli infissi.', 'Cordiali saluti', 'Carla Rinaldi')}${inTables(icons('rinaldi-serramenti.example'))}`,
  },
  {
    about: 'French, a job offer with a banner',
    from: 'Luc Perrin <luc.perrin@perrin-conseil.example>',
    subject: "Votre offre d'emploi",
    body: `${paragraphs('Bonjour Madame Roy,', "Suite à notre entretien, voici l'offre dont nous avons parlé.", 'Luc Perrin')}${icons('perrin-conseil.example')}<p><a href="https://perrin-conseil.example/salon"><img src="https://perrin-conseil.example/salon.jpg" alt="Salon" width="120" height="100"></a></p>`,
  },
  {
    about: 'Spanish, a quotation whose signature has campaign tags',
    from: 'Elena Duarte <elena.duarte@reformas-duarte.example>',
    subject: 'Oferta de la cocina',
    body: `${paragraphs('Hola Marta:', 'Te adjunto la oferta de la cocina.', 'Elena')}${named('reformas-duarte.example')}<p><a href="https://reformas-duarte.example/?utm_source=firma&amp;utm_medium=email">reformas-duarte.example</a> <a href="https://reformas-duarte.example/proyectos?utm_source=firma&amp;utm_medium=email">Proyectos</a></p>`,
  },
  {
    about: 'Dutch, a campaign of two colleagues',
    from: 'Sanne Visser <sanne.visser@drukkerij-visser.example>',
    subject: 'Actie voor vrijdag',
    body: `${paragraphs('Hoi Tim,', 'Wil jij de offerte voor vrijdag nog nakijken?', 'Sanne')}${named('drukkerij-visser.example', 3)}`,
  },
  {
    about: 'Polish, a quotation with icons',
    from: 'Anna Zielińska <anna.zielinska@zielinska-meble.example>',
    subject: 'Oferta na meble kuchenne',
    body: `${paragraphs('Dzień dobry,', 'w załączeniu przesyłam ofertę. Rabat jest już wliczony.', 'Anna Zielińska')}${icons('zielinska-meble.example')}`,
  },
  {
    about: 'Swedish, a quotation',
    from: 'Erik Lund <erik.lund@lundsnickeri.example>',
    subject: 'Offert och erbjudande om altan',
    body: `${paragraphs('Hej Karin,', 'här kommer vårt erbjudande om altanen.', 'Erik Lund')}${icons('lundsnickeri.example', 2)}`,
  },
  {
    about: 'English, a long letter about the sale of a firm, with links',
    from: 'Grace Okoro <grace.okoro@okorolegal.example>',
    subject: 'Sale of Harbour Ltd: the deal after the first round',
    body: `${paragraphs('Dear Tom,', LONG, LONG, 'The drafts are <a href="https://data.example/d/1">here</a> and <a href="https://data.example/d/2">here</a>.', 'Grace Okoro')}${named('okorolegal.example')}`,
  },
  {
    about: 'English, from Outlook, about a discount rate',
    from: 'Peter Marsh <peter.marsh@marshactuaries.example>',
    subject: 'Discount rate for 2027',
    fields: { 'X-Mailer': 'Microsoft Outlook 16.0' },
    body: `${paragraphs('Dear Ann,', 'we suggest a discount rate of 3.1.', 'Peter')}${icons('marshactuaries.example')}`,
  },
  {
    about: 'English, a draft of a newsletter among colleagues',
    from: 'Ruth Adeyemi <ruth.adeyemi@lakeside.example>',
    subject: 'Our newsletter: can you read the draft?',
    body: `${paragraphs('Hi Sam,', 'the draft of our monthly newsletter is attached. Is the survey all right?', 'Ruth')}${named('lakeside.example', 3)}`,
  },
  {
    about: 'Turkish, a quotation with icons',
    from: 'Deniz Kaya <deniz.kaya@kaya-insaat.example>',
    subject: 'Kampanya teklifi',
    body: `${paragraphs('Merhaba Ayşe Hanım,', 'konuştuğumuz teklif ektedir.', 'Deniz Kaya')}${icons('kaya-insaat.example')}`,
  },
  {
    about: 'English, an answer of a help desk about a coupon',
    from: 'Velo Hart <support@velohart.example>',
    subject: '[Velo Hart] Re: the coupon – discount code',
    body: `${paragraphs('Hi Ada,', 'the discount code works again.', 'Lena')}${icons('velohart.example')}`,
  },
];

/** Letters that nothing shows to be a person's, or which have pictures or many links in their text. */
export const otherLetters: readonly UnseenMail[] = [
  {
    about: 'German, from the address for quotations',
    from: 'Zimmerei Aumann <angebote@zimmerei-aumann.example>',
    subject: 'Ihr Angebot zum Dachstuhl',
    body: `${paragraphs('Guten Tag Frau Seidl,', 'anbei das Angebot. Sie können es auch <a href="https://zimmerei-aumann.example/angebot/88">im Browser ansehen</a>.', 'Zimmerei Aumann')}${icons('zimmerei-aumann.example')}`,
  },
  {
    about: 'Dutch, a municipality to one citizen',
    from: 'Gemeente Veenrijk <burgerzaken@veenrijk.example>',
    subject: 'Actie vereist: uw rijbewijs verloopt',
    body: `${paragraphs('Geachte mevrouw,', 'uw rijbewijs verloopt op 3 mei.', 'Gemeente Veenrijk')}${named('veenrijk.example')}`,
  },
  {
    about: 'English, a travel agent who suggests seven hotels',
    from: 'Nina Castell <nina@castelltravel.example>',
    subject: 'Special offers for your week in May',
    body: `${paragraphs('Dear Joan,', LONG, ...Array.from({ length: 7 }, (_, at) => `<a href="https://hotel${at}.example/rooms">Hotel ${at}</a>`), 'Nina')}${icons('castelltravel.example')}`,
  },
  {
    about: 'Finnish, photographs of the work beside a quotation',
    from: 'Antti Salo <antti.salo@salorakennus.example>',
    subject: 'Tarjous ja kuvat',
    body: `${paragraphs('Hei Liisa,', 'tässä tarjous ja neljä kuvaa.')}${[1, 2, 3, 4].map((at) => `<img src="https://salorakennus.example/k${at}.jpg" alt="Kuva" width="600" height="400">`).join('')}${icons('salorakennus.example')}`,
  },
];

/** Products with pictures and links, as in a simple newsletter without a template. */
const products = (domain: string, tag = ''): string =>
  [1, 2, 3, 4, 5, 6]
    .map(
      (at) =>
        `<p><a href="https://${domain}/p/${at}${tag}"><img src="https://${domain}/p/${at}.jpg" alt="${at}" width="300" height="300"></a></p>`,
    )
    .join('');

/** Marketing that must stay bulk email, although it has no header of bulk email and no way to unsubscribe. */
export const bulkWithNetworks: readonly UnseenMail[] = [
  {
    about: 'English, pictures of products without a template',
    from: 'Fernhill Pots <hello@fernhill.example>',
    subject: 'Spring sale: up to 40% off',
    body: `<h1>Spring sale</h1>${paragraphs('Every pot is in the sale until Sunday.')}${products('fernhill.example')}${named('fernhill.example')}`,
  },
  {
    about: 'German, a template in tables',
    from: 'Kaffeehaus Rot <info@kaffee-rot.example>',
    subject: 'Nur heute: 20 % Rabatt',
    body: inTables(
      `${paragraphs('Guten Morgen,', 'heute sparen Sie.', 'Ihr Kaffeehaus', '<a href="https://kaffee-rot.example/">Jetzt kaufen</a>')}${icons('kaffee-rot.example')}`,
    ),
  },
  {
    about: 'French, a template below a preview text',
    from: 'Maison Clair <bonjour@maison-clair.example>',
    subject: 'Soldes : -30 % sur tout',
    body: `<div>Profitez des soldes.</div><div><a href="https://maison-clair.example/v">Voir en ligne</a></div>${inTables(paragraphs('Les soldes sont là.', '<a href="https://maison-clair.example/soldes">Profitez</a>'))}${named('maison-clair.example')}`,
  },
  {
    about: 'Spanish, a page that adapts to the screen',
    from: 'Tienda Luz <hola@tiendaluz.example>',
    subject: 'Rebajas de enero',
    body: `<style>@media (max-width:600px){div{width:100%}}</style>${paragraphs('Hola,', 'las rebajas empiezan hoy.', 'Descuentos en todo.')}${named('tiendaluz.example')}`,
  },
  {
    about: 'Italian, from the address of a newsletter',
    from: 'Libreria Onda <newsletter@libreriaonda.example>',
    subject: 'Novità e sconti di marzo',
    body: `${paragraphs('Ciao,', 'ecco le novità di marzo.')}${icons('libreriaonda.example')}`,
  },
  {
    about: 'Polish, pages with campaign tags',
    from: 'Sklep Las <kontakt@skleplas.example>',
    subject: 'Wyprzedaż: nawet 50% taniej',
    body: `${paragraphs('Wyprzedaż trwa.')}${[1, 2, 3, 4].map((at) => `<p><a href="https://skleplas.example/p/${at}?utm_campaign=zima">Zobacz nowe ${at}</a></p>`).join('')}${named('skleplas.example')}`,
  },
  {
    about: 'English, sent by a campaign tool',
    from: 'Holm Studio <hi@holmstudio.example>',
    subject: 'What we made in March',
    fields: { 'X-MC-User': '71' },
    body: `${paragraphs('Hello,', 'three chairs and a table.')}${icons('holmstudio.example')}`,
  },
];
