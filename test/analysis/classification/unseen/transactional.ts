/** Transactional emails, such as receipts, that were not used to develop the classification. */

import type { UnseenMail } from './unseen-mail.ts';

/** Emails about one reader's own affairs. */
export const transactional: readonly UnseenMail[] = [
  {
    about: 'English, a receipt with an offer below',
    from: 'Corner Bakery <orders@cornerbakery.example>',
    subject: 'Your receipt from Corner Bakery',
    body: 'Thanks for stopping by. Sourdough 4.20, rye 3.90, total 8.10, paid by card.\n\nNext time: 10% off with code BREAD.',
  },
  {
    about: 'English, a password reset',
    from: 'Postcard App <no-reply@postcard.example>',
    subject: 'Reset your Postcard password',
    body: 'Somebody asked to reset the password of this account. The link works for one hour:\nhttps://postcard.example/r/9f2\nIf it was not you, do nothing.',
  },
  {
    about: 'English, a parcel, sent with the marks of bulk',
    from: 'Parcel Notices <updates@carrier.example>',
    subject: 'Your parcel arrives tomorrow between 9 and 11',
    fields: { Precedence: 'bulk', 'Auto-Submitted': 'auto-generated' },
    body: 'Parcel JD0146 is on its way to you. Change the delivery day: https://carrier.example/t/JD0146',
  },
  {
    about: 'English, a code',
    from: 'Ferry Bank <secure@ferrybank.example>',
    subject: '482913 is your Ferry Bank code',
    body: 'Use 482913 to sign in. It expires in 5 minutes. We never ask you for this code by phone.',
  },
  {
    about: 'English, a booking with a way out of notices',
    from: 'Tidal Rooms <stay@tidalrooms.example>',
    subject: 'Booking confirmed: 2 nights in Whitby',
    body: 'Check-in Friday from 15:00. Booking reference TR-5521. Total 184.00, paid.\n\nManage your booking: https://tidalrooms.example/b/5521\nEmail preferences: https://tidalrooms.example/preferences',
  },
  {
    about: 'English, a failed payment',
    from: 'Stackline Billing <billing@stackline.example>',
    subject: 'We could not charge your card',
    body: 'Your payment of 29.00 for November failed. Update your payment method by 30 November to keep your plan: https://stackline.example/billing',
  },
  {
    about: 'English, an invitation to a workspace',
    from: 'Tablo <invites@tablo.example>',
    subject: 'Rosa invited you to the workspace North Wing',
    body: 'Rosa Lind has invited you to work together in Tablo. Accept: https://tablo.example/i/3c',
  },
  {
    about: 'German, an order',
    from: 'Teehandel Krüger <bestellung@teehandel.example>',
    subject: 'Ihre Bestellung 20931 ist unterwegs',
    body: 'Guten Tag Frau Sommer,\nwir haben Ihre Bestellung heute an DPD übergeben. Sendungsverfolgung: https://teehandel.example/s/20931',
  },
  {
    about: 'German, an invoice of a utility',
    from: 'Stadtwerke <service@stadtwerke.example>',
    subject: 'Ihre Rechnung für Oktober liegt bereit',
    body: 'Guten Tag,\nIhre Rechnung über 84,20 EUR finden Sie im Kundenportal. Der Betrag wird am 1.12. abgebucht.\nhttps://stadtwerke.example/portal',
  },
  {
    about: 'French, a delivery',
    from: 'Librairie du Port <commande@librairieduport.example>',
    subject: 'Votre colis a été expédié',
    body: 'Bonjour, votre commande n° 7741 est partie ce matin. Suivi : https://librairieduport.example/suivi/7741',
  },
  {
    about: 'French, a code',
    from: 'Mutuelle Azur <securite@mutuelleazur.example>',
    subject: 'Votre code de connexion',
    body: 'Votre code est 771204. Il est valable 10 minutes. Ne le communiquez à personne.',
  },
  {
    about: 'Spanish, an order',
    from: 'Ferretería Sol <pedidos@ferreteriasol.example>',
    subject: 'Hemos recibido tu pedido 5512',
    body: 'Gracias por tu compra. Total: 34,90 €. Te avisaremos cuando salga del almacén.',
  },
  {
    about: 'Spanish, a password reset',
    from: 'Agenda Viva <cuenta@agendaviva.example>',
    subject: 'Restablece tu contraseña',
    body: 'Hemos recibido una solicitud para cambiar tu contraseña. El enlace caduca en 60 minutos: https://agendaviva.example/c/71',
  },
  {
    about: 'Italian, a receipt',
    from: 'Libreria Arco <ordini@libreriaarco.example>',
    subject: 'Conferma del tuo ordine n. 3391',
    body: 'Ciao Marta, abbiamo ricevuto il tuo ordine. Totale 22,00 €. Ti scriveremo alla spedizione.',
  },
  {
    about: 'Portuguese, a payment',
    from: 'Energia Sul <fatura@energiasul.example>',
    subject: 'A sua fatura de novembro',
    body: 'A fatura no valor de 61,30 € vence a 5 de dezembro. Consulte-a em https://energiasul.example/f/11',
  },
  {
    about: 'Dutch, an order',
    from: 'Boekhandel De Kade <klantenservice@dekade.example>',
    subject: 'Je bestelling is verzonden',
    body: 'Beste Jan, je pakket met bestelling 8812 komt morgen. Volg het hier: https://dekade.example/v/8812',
  },
  {
    about: 'Polish, a confirmation',
    from: 'Apteka Zdrojowa <zamowienia@apteka.example>',
    subject: 'Potwierdzenie zamówienia 1190/2026',
    body: 'Dziękujemy za zamówienie. Kwota do zapłaty: 78,40 zł. Poinformujemy o wysyłce.',
  },
  {
    about: 'Swedish, a receipt',
    from: 'Cykelverket <kvitto@cykelverket.example>',
    subject: 'Kvitto för ditt köp',
    body: 'Tack för ditt köp. Ordernummer 5512, totalt 349 kr. Leverans inom tre dagar.',
  },
  {
    about: 'Turkish, an order',
    from: 'Kitap Durağı <siparis@kitapduragi.example>',
    subject: 'Siparişiniz kargoya verildi',
    body: 'Merhaba, 4471 numaralı siparişiniz yola çıktı. Takip: https://kitapduragi.example/t/4471',
  },
  {
    about: 'Russian, a code',
    from: 'Банк Река <noreply@bankreka.example>',
    subject: 'Код подтверждения: 551209',
    body: 'Никому не сообщайте этот код. Он действует 5 минут.',
  },
  {
    about: 'Japanese, an order',
    from: '古書みなと <order@minato.example>',
    subject: 'ご注文ありがとうございます(注文番号 3312)',
    body: 'ご注文の商品は本日発送いたしました。お届けまで二、三日お待ちください。',
  },
  {
    about: 'Chinese, a code',
    from: '云河账户 <no-reply@yunhe.example>',
    subject: '您的验证码是 620118',
    body: '验证码 5 分钟内有效,请勿告诉他人。',
  },
  {
    about: 'English, an appointment',
    from: 'Elm Dental <reception@elmdental.example>',
    subject: 'Reminder: you have an appointment on Thursday',
    body: 'Dear Mr Ode, we look forward to seeing you on Thursday 26 November at 14:20. To change it call 0113 496 0000.',
  },
  {
    about: 'English, new terms of one’s account',
    from: 'Ferry Bank <service@ferrybank.example>',
    subject: 'Changes to your current account from January',
    body: 'We are changing the terms of your account. You do not need to do anything. Read what changes: https://ferrybank.example/terms',
  },
];
