/**
 * A second set of marketing, transactional, automatic and personal emails, written after the
 * classification was corrected with the first set.
 */

import type { UnseenMail } from './unseen-mail.ts';

/** A second set of marketing emails, written after the words had been corrected with the first set. */
export const secondMarketing: readonly UnseenMail[] = [
  {
    about: 'Dutch, without a way out',
    from: 'Tuincentrum De Linde <info@delinde.example>',
    subject: 'Kerstbomen: nu 25% korting',
    body: 'Kom dit weekend langs en kies je boom. https://delinde.example/bomen',
  },
  {
    about: 'Polish, without a way out',
    from: 'Salon Rowerowy Koło <info@kolo.example>',
    subject: 'Wyprzedaż rowerów miejskich',
    body: 'Ceny niższe nawet o 30%. Sprawdź ofertę: https://kolo.example/wyprzedaz',
  },
  {
    about: 'Swedish, without a way out',
    from: 'Bageriet Kornet <info@kornet.example>',
    subject: 'Lussebullar: köp 10, betala för 8',
    body: 'Erbjudandet gäller hela helgen. Beställ här: https://kornet.example/lusse',
  },
  {
    about: 'Turkish, without a way out',
    from: 'Zeytin Dükkanı <info@zeytin.example>',
    subject: 'Soğuk sıkım yağlarda %20 indirim',
    body: 'Kampanya pazar günü bitiyor. Alışverişe başla: https://zeytin.example/',
  },
  {
    about: 'Chinese, without a way out',
    from: '木作坊 <info@muzuo.example>',
    subject: '双十一特惠:全场八折',
    body: '限时优惠,点击选购:https://muzuo.example/',
  },
  {
    about: 'Norwegian',
    from: 'Fjell Sport <nyheter@fjellsport.example>',
    subject: 'Skisesongen starter her',
    body: 'Se årets nyheter og gode tilbud på støvler: https://fjellsport.example/ski\n\nMeld deg av: https://fjellsport.example/av',
  },
  {
    about: 'Romanian',
    from: 'Librăria Munteanu <noutati@munteanu.example>',
    subject: 'Reduceri de toamnă la toate romanele',
    body: 'Comandă acum: https://munteanu.example/romane\n\nDezabonare: https://munteanu.example/out',
  },
  {
    about: 'Vietnamese',
    from: 'Cà phê Sương <tin@suong.example>',
    subject: 'Ưu đãi cuối tuần: mua 1 tặng 1',
    body: 'Đặt ngay: https://suong.example/cf\n\nHủy đăng ký: https://suong.example/huy',
  },
  {
    about: 'Indonesian',
    from: 'Batik Melati <promo@melati.example>',
    subject: 'Diskon akhir tahun untuk semua kain',
    body: 'Belanja sekarang: https://melati.example/kain\n\nBerhenti berlangganan: https://melati.example/stop',
  },
  {
    about: 'Hebrew',
    from: 'חנות הספרים גליל <news@galil.example>',
    subject: 'מבצע סוף שבוע על ספרי ילדים',
    body: 'לרכישה: https://galil.example/kids\n\nלהסרה מרשימת התפוצה: https://galil.example/out',
  },
  {
    about: 'English, a product update',
    from: 'Tablo <news@tablo.example>',
    subject: 'What we shipped in November',
    body: '<p>Boards load twice as fast, and comments can be pinned.</p><p><a href="https://tablo.example/changelog">See everything</a></p><p><a href="https://tablo.example/u">Unsubscribe</a></p>',
  },
  {
    about: 'English, cold selling',
    from: 'Kyle Marsh <kyle@leadmore.example>',
    subject: 'Quick question about your website',
    body: 'Hi there, we help firms like yours get 30 % more leads from search. Are you free for a 15 minute call on Tuesday?\n\nKyle\n\nNot interested? Opt out: https://leadmore.example/optout',
  },
];

export const secondTransactional: readonly UnseenMail[] = [
  {
    about: 'Danish, an order',
    from: 'Bogladen <ordre@bogladen.example>',
    subject: 'Ordrebekræftelse 8812',
    body: 'Tak for din bestilling. Vi sender den i morgen. I alt 249 kr.',
  },
  {
    about: 'Norwegian, a code',
    from: 'Sparebanken Nord <ikke-svar@sparebanken.example>',
    subject: 'Engangskode',
    body: 'Din engangskode er 551022. Den er gyldig i fem minutter.',
  },
  {
    about: 'Czech, an order',
    from: 'Knihy U Mostu <objednavky@umostu.example>',
    subject: 'Potvrzení objednávky č. 3311',
    body: 'Děkujeme za nákup. Zásilku předáme dopravci zítra. Celkem 489 Kč.',
  },
  {
    about: 'Hungarian, an invoice',
    from: 'Vízmű <szamla@vizmu.example>',
    subject: 'Elkészült a novemberi számlája',
    body: 'Tisztelt Ügyfelünk! Fizetendő: 8 420 Ft, határidő: december 5.',
  },
  {
    about: 'Greek, an order',
    from: 'Βιβλιοπωλείο Λύχνος <orders@lychnos.example>',
    subject: 'Η παραγγελία σας εστάλη',
    body: 'Η παραγγελία 4411 βρίσκεται καθ’ οδόν. Παρακολούθηση: https://lychnos.example/t/4411',
  },
  {
    about: 'Korean, an order',
    from: '책마루 <order@chaekmaru.example>',
    subject: '주문이 완료되었습니다 (3301)',
    body: '주문하신 상품은 내일 배송됩니다.',
  },
  {
    about: 'Finnish, a password',
    from: 'Kirjasto <tili@kirjasto.example>',
    subject: 'Vaihda salasanasi',
    body: 'Pyysit uutta salasanaa. Linkki on voimassa tunnin: https://kirjasto.example/s/1',
  },
  {
    about: 'Romanian, a delivery',
    from: 'Curier Rapid <livrari@curier.example>',
    subject: 'Coletul dvs. va fi livrat astăzi',
    body: 'Comanda 7712 ajunge între 10 și 12.',
  },
  {
    about: 'Ukrainian, a code',
    from: 'Банк Дніпро <noreply@bankdnipro.example>',
    subject: 'Код для входу: 771203',
    body: 'Нікому не кажіть цей код. Дійсний 5 хвилин.',
  },
  {
    about: 'English, a ride',
    from: 'Metro Cabs <trips@metrocabs.example>',
    subject: 'Your Tuesday evening trip',
    body: 'Total 14.20. Thanks for riding, Ana. Paid with card ending 4471. Download the receipt: https://metrocabs.example/r/1',
  },
  {
    about: 'English, a certificate that expires',
    from: 'DNS House <expiry@dnshouse.example>',
    subject: 'tide.example expires in 14 days',
    body: 'Renew tide.example before 6 December to keep your domain: https://dnshouse.example/renew',
  },
  {
    about: 'Arabic, an order',
    from: 'متجر النور <orders@alnoor.example>',
    subject: 'تم شحن طلبك رقم 5512',
    body: 'سيصلك الطلب غدا. تتبع الشحنة: https://alnoor.example/t',
  },
];

export const secondAutomatic: readonly UnseenMail[] = [
  {
    about: 'Nagios',
    from: 'nagios@mon.example',
    subject: '** PROBLEM Service Alert: pump3/disk is CRITICAL **',
    body: 'DISK CRITICAL - free space: / 812 MB',
  },
  {
    about: 'logwatch',
    from: 'logwatch@pump3.example',
    subject: 'Logwatch for pump3 (Linux)',
    body: ' ################### Logwatch 7.5 ####################\n sshd: 2 logins',
  },
  {
    about: 'unattended upgrades',
    from: 'root <root@pump3.example>',
    subject: '[package on hold] unattended-upgrades result for pump3: SUCCESS',
    body: 'Unattended upgrade result: All upgrades installed',
  },
  {
    about: 'Italian, away',
    from: 'Paola Riva <paola.riva@riva.example>',
    subject: 'Risposta automatica: preventivo',
    body: 'Sono fuori ufficio fino al 4 dicembre.',
  },
];

export const secondPersonal: readonly UnseenMail[] = [
  {
    about: 'Turkish',
    from: 'Elif Kaya <elif.kaya@kaya.example>',
    subject: 'Yarınki toplantı',
    body: 'Merhaba Deniz, yarın saat ikide görüşelim mi? Elif',
  },
  {
    about: 'Russian',
    from: 'Анна Петрова <anna.petrova@petrova.example>',
    subject: 'Re: дача',
    fields: { 'In-Reply-To': '<1@x.example>' },
    body: 'Приедем в субботу к обеду. Аня',
  },
  {
    about: 'English, to a landlord',
    from: 'Priya Nair <priya@nair.example>',
    subject: 'Boiler again',
    fields: { 'User-Agent': 'K-9 Mail for Android' },
    body: 'Hello, the boiler stopped this morning. Could somebody come today? Priya',
  },
];
