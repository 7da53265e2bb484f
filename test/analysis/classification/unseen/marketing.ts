/** Marketing emails in many languages that were not used to develop the classification. */

import type { UnseenMail } from './unseen-mail.ts';

/**
 * Emails to many readers, in the words of their language. None was used to choose the words that the code
 * knows.
 */
export const marketing: readonly UnseenMail[] = [
  {
    about: 'English, a seed shop in spring',
    from: 'Thistle & Fern <hello@thistleandfern.example>',
    subject: 'The tomatoes are in, and so are the beans',
    fields: { 'List-Unsubscribe': '<mailto:out@thistleandfern.example>' },
    body: 'Every packet in the spring list is now in stock. Sow indoors by the end of the month.\nBrowse the spring list: https://thistleandfern.example/spring\n\nNot for you any more? Unsubscribe here: https://thistleandfern.example/u/83',
  },
  {
    about: 'English, a software vendor',
    from: 'Ledgerly <team@ledgerly.example>',
    subject: 'Three reports your accountant will thank you for',
    body: '<p>Month end does not have to hurt. See how 2,000 bookkeepers use saved views.</p><p><a href="https://ledgerly.example/blog/views">Read the guide</a></p><p>Ledgerly Ltd, 4 Mill Lane, Leeds. <a href="https://ledgerly.example/opt-out">Unsubscribe</a> or <a href="https://ledgerly.example/p">manage your preferences</a></p>',
  },
  {
    about: 'English, a conference',
    from: 'Harbour Conf <programme@harbourconf.example>',
    subject: 'Tickets for Harbour Conf 2027 are out',
    body: 'Two days, forty talks, one boat. Get yours while the lower price lasts: https://harbourconf.example/tickets\n\nUnsubscribe: https://harbourconf.example/leave',
  },
  {
    about: 'English, a charity',
    from: 'Coastline Rescue <friends@coastline.example>',
    subject: 'What your 10 pounds a month did this winter',
    fields: { 'List-Id': 'Friends <friends.coastline.example>' },
    body: 'Thanks to people like you, 31 crews went out in the storms. Will you add to your support?\nhttps://coastline.example/give\n\nTo stop receiving these letters: https://coastline.example/stop',
  },
  {
    about: 'German, a furniture shop',
    from: 'Möbelhof Brandt <post@moebelhof-brandt.example>',
    subject: 'Herbstwochen im Möbelhof: Esstische günstiger',
    body: 'Liebe Kundinnen und Kunden,\nbis Samstag sind alle Esstische aus Eiche um ein Fünftel günstiger.\nZum Katalog: https://moebelhof-brandt.example/tische\n\nSie möchten keine Post mehr von uns? Hier können Sie sich abmelden: https://moebelhof-brandt.example/ab',
  },
  {
    about: 'German, a newsletter of a town library',
    from: 'Stadtbibliothek <info@bibliothek.example>',
    subject: 'Neues aus der Bibliothek im November',
    body: 'Lesungen, Spieleabende und 120 neue Romane im Regal. Das ganze Programm: https://bibliothek.example/programm\n\nNewsletter abbestellen: https://bibliothek.example/abbestellen',
  },
  {
    about: 'French, a winemaker',
    from: 'Domaine des Trois Chênes <contact@troischenes.example>',
    subject: 'Foire aux vins : vos caisses à prix doux',
    body: 'Bonjour,\nJusqu’au 30 novembre, la deuxième caisse est à moitié prix.\nCommander : https://troischenes.example/foire\n\nSe désabonner : https://troischenes.example/stop',
  },
  {
    about: 'French, a theatre',
    from: 'Théâtre du Quai <lettre@theatreduquai.example>',
    subject: 'La saison de printemps est en ligne',
    body: 'Découvrez la programmation et réservez vos places dès maintenant : https://theatreduquai.example/saison\n\nPour ne plus recevoir nos courriels : https://theatreduquai.example/fin',
  },
  {
    about: 'Spanish, a shoe shop',
    from: 'Zapatos Marina <hola@zapatosmarina.example>',
    subject: 'Tus botas te esperan con precio especial',
    body: 'Este fin de semana llévate dos pares y paga uno. Ver botas: https://zapatosmarina.example/botas\n\nSi no quieres más correos, puedes darte de baja aquí: https://zapatosmarina.example/baja',
  },
  {
    about: 'Spanish, a newsletter of a museum',
    from: 'Museo del Río <boletin@museodelrio.example>',
    subject: 'Boletín de noviembre: exposiciones y talleres',
    body: 'Tres exposiciones nuevas y talleres para toda la familia. Programa: https://museodelrio.example/agenda\n\nCancelar suscripción: https://museodelrio.example/cancelar',
  },
  {
    about: 'Italian, a grocer',
    from: 'Bottega Verde Olivo <news@bottegaverdeolivo.example>',
    subject: 'Olio nuovo: prenota la tua bottiglia',
    body: 'È arrivato l’olio nuovo, a prezzo speciale fino a domenica. Scoprilo: https://bottegaverdeolivo.example/olio\n\nDisiscriviti: https://bottegaverdeolivo.example/no',
  },
  {
    about: 'Portuguese, an airline',
    from: 'Voa Norte <promocoes@voanorte.example>',
    subject: 'Voos a partir de 29 € só esta semana',
    body: 'Escolha o seu destino e voe no inverno: https://voanorte.example/voos\n\nPara deixar de receber estas mensagens, clique aqui: https://voanorte.example/sair',
  },
  {
    about: 'Brazilian Portuguese, a course',
    from: 'Escola Traço <contato@escolatraco.example>',
    subject: 'Matrículas abertas: desenho do zero',
    body: 'Última semana com preço de lançamento. Garanta sua vaga: https://escolatraco.example/vaga\n\nDescadastre-se: https://escolatraco.example/sair',
  },
  {
    about: 'Dutch, a bicycle shop',
    from: 'Fietsenmaker Van Dijk <info@fietsvandijk.example>',
    subject: 'Winterbeurt nu voor 49 euro',
    body: 'Laat je fiets nakijken voor de winter. Afspraak maken: https://fietsvandijk.example/beurt\n\nAfmelden voor deze mail: https://fietsvandijk.example/afmelden',
  },
  {
    about: 'Polish, a bookshop',
    from: 'Księgarnia Pod Lipą <sklep@podlipa.example>',
    subject: 'Nowości listopada i książki taniej o połowę',
    body: 'Zobacz nowe powieści i reportaże. Do sklepu: https://podlipa.example/nowosci\n\nWypisz się z listy: https://podlipa.example/wypisz',
  },
  {
    about: 'Swedish, a yarn shop',
    from: 'Garnhuset <hej@garnhuset.example>',
    subject: 'Nya färger i butiken och 3 för 2 på ull',
    body: 'Vi har fyllt hyllorna inför vintern. Se allt: https://garnhuset.example/ull\n\nAvregistrera dig här: https://garnhuset.example/bort',
  },
  {
    about: 'Danish, a café',
    from: 'Café Fyr <nyt@cafefyr.example>',
    subject: 'Julefrokost: book bord inden fredag',
    body: 'Få gratis dessert når I er mindst seks. Se menuen: https://cafefyr.example/jul\n\nAfmeld nyhedsbrevet: https://cafefyr.example/af',
  },
  {
    about: 'Finnish, a sauna maker',
    from: 'Kiuas Oy <uutiset@kiuas.example>',
    subject: 'Syysale: kiukaat jopa puoleen hintaan',
    body: 'Tarjoukset voimassa sunnuntaihin. Katso: https://kiuas.example/ale\n\nPeruuta tilaus: https://kiuas.example/pois',
  },
  {
    about: 'Czech, a garden shop',
    from: 'Zahradnictví Javor <obchod@javor.example>',
    subject: 'Podzimní výprodej stromků',
    body: 'Ovocné stromky se slevou až do vyprodání zásob: https://javor.example/stromky\n\nOdhlásit odběr: https://javor.example/odhlasit',
  },
  {
    about: 'Turkish, a clothes shop',
    from: 'Kumaş Evi <bilgi@kumasevi.example>',
    subject: 'Hafta sonuna özel: ikinci ürün yarı fiyatına',
    body: 'Yeni sezon ürünlerini keşfedin: https://kumasevi.example/yeni\n\nBültenden çıkmak için: listeden çık https://kumasevi.example/cik',
  },
  {
    about: 'Russian, a tea shop',
    from: 'Чайный дом <news@teahouse.example>',
    subject: 'Скидка на улуны только до воскресенья',
    body: 'Новые сорта уже в магазине: https://teahouse.example/ulun\n\nОтписаться от рассылки: https://teahouse.example/out',
  },
  {
    about: 'Ukrainian, a shop of toys',
    from: 'Дзига <hello@dzyga.example>',
    subject: 'Знижки на дерев’яні іграшки',
    body: 'До п’ятниці купуйте дві іграшки за ціною однієї: https://dzyga.example/shop\n\nВідписатися: https://dzyga.example/out',
  },
  {
    about: 'Japanese, a stationery shop',
    from: '文具のみずの <info@mizuno.example>',
    subject: '【本日限り】万年筆がお買い得です',
    body: '人気の万年筆を特別価格でご用意しました。\nhttps://mizuno.example/pen\n\n配信停止はこちら https://mizuno.example/stop',
  },
  {
    about: 'Chinese, a tea shop',
    from: '山间茶铺 <news@shanjian.example>',
    subject: '新茶上市,第二件半价',
    body: '本周末下单即享优惠:https://shanjian.example/new\n\n退订邮件:https://shanjian.example/td',
  },
  {
    about: 'Korean, a cosmetics shop',
    from: '하늘상점 <news@haneul.example>',
    subject: '주말 특가! 수분크림 1+1',
    body: '이번 주말까지만 할인합니다. https://haneul.example/cream\n\n수신거부: https://haneul.example/out',
  },
  {
    about: 'Hungarian, a wine bar',
    from: 'Pince Bár <hirek@pincebar.example>',
    subject: 'Újbor hétvége: kóstoló kedvezménnyel',
    body: 'Foglaljon asztalt most: https://pincebar.example/ujbor\n\nLeiratkozás: https://pincebar.example/le',
  },
  {
    about: 'Greek, a hotel',
    from: 'Ξενοδοχείο Αύρα <info@avra.example>',
    subject: 'Προσφορά: τρεις νύχτες στην τιμή των δύο',
    body: 'Κάντε κράτηση έως την Κυριακή: https://avra.example/offer\n\nΔιαγραφή από τη λίστα: https://avra.example/out',
  },
  {
    about: 'Arabic, a bookshop',
    from: 'مكتبة النخيل <info@nakhil.example>',
    subject: 'خصم على جميع الكتب هذا الأسبوع',
    body: 'تسوق الآن: https://nakhil.example/books\n\nإلغاء الاشتراك: https://nakhil.example/out',
  },
];
