/**
 * Fraudulent emails, each under a name that is not its sender's: in seven languages, and under names in
 * further languages and scripts, whose words the analysis does not read.
 */

import type { WrittenMail } from '../mail/score-mail.ts';

/** Returns a complete fraudulent email with its link. */
const fraud = (from: string, subject: string, body: string): WrittenMail => ({
  from,
  subject,
  body: `${body} https://www.${/@([^>]+)/.exec(from)?.[1]}/x`,
});

/** Frauds under a name that is not their sender's, one of each kind in each language. */
export const frauds: readonly WrittenMail[] = [
  // German
  fraud(
    'Ihre Volksbank <kunden@tan-umstellung.com>',
    'Wichtige Mitteilung',
    'Sehr geehrter Kunde, Ihr SecureGo-Verfahren läuft aus. Registrieren Sie sich bis zum 2. Dezember neu, sonst wird der Zugang gesperrt.\n\nIhre Volksbank',
  ),
  fraud(
    'Deutsche Post <service@sendung-freigeben.info>',
    'Zollgebühren offen',
    'Ihre Sendung liegt beim Zoll. Begleichen Sie 2,49 EUR innerhalb von 24 Stunden, andernfalls geht sie zurück.',
  ),
  fraud(
    'Spotify <abo@musik-abo-service.com>',
    'Zahlung abgelehnt',
    'Ihre Zahlung wurde abgelehnt. Bitte aktualisieren Sie Ihre Zahlungsdaten, um eine Unterbrechung zu vermeiden.',
  ),
  fraud(
    'ELSTER <bescheid@steuer-portal-online.com>',
    'Steuererstattung',
    'Ihnen steht eine Steuererstattung von 318,40 EUR zu. Füllen Sie das Formular mit Ihren Kontodaten aus.',
  ),
  fraud(
    'Telekom <rechnung@kundencenter-forderung.com>',
    'Letzte Mahnung',
    'Ihre Rechnung ist überfällig. Zahlen Sie sofort 64,12 EUR, sonst folgt das Inkasso.',
  ),
  // French
  fraud(
    'La Banque Postale <alerte@certicode-plus-actif.com>',
    'Action requise',
    'Bonjour, votre Certicode Plus arrive à expiration. Activez-le sous 24h, faute de quoi votre compte sera bloqué.',
  ),
  fraud(
    'Chronopost <suivi@livraison-attente.info>',
    'Votre colis est en attente',
    'Votre colis est bloqué : des frais de douane de 1,99 € doivent être réglés avant demain.',
  ),
  fraud(
    'Netflix <abonnement@renouvellement-compte.net>',
    'Paiement refusé',
    'Votre paiement a été refusé. Mettez à jour votre carte bancaire pour éviter la suspension de votre abonnement.',
  ),
  fraud(
    'Assurance Maladie <remboursement@carte-vitale-info.com>',
    'Remboursement',
    'Un remboursement de 127,30 € vous attend. Remplissez le formulaire ameli avec vos coordonnées bancaires.',
  ),
  fraud(
    'EDF <factures@espace-reglement.com>',
    'Dernier rappel',
    'Votre facture est impayée. Sans règlement sous 48 heures, une coupure et des pénalités sont prévues.',
  ),
  fraud(
    'Orange Support <messagerie@boite-mail-quota.com>',
    'Messagerie',
    'Votre messagerie est pleine à 98 %. Connectez-vous pour éviter la suspension de votre compte.',
  ),
  // Spanish
  fraud(
    'CaixaBank <avisos@seguridad-acceso.com>',
    'Acceso restringido',
    'Estimado cliente: su acceso a la banca digital está restringido. Valide sus datos hoy mismo para evitar el bloqueo definitivo de la cuenta.',
  ),
  fraud(
    'SEUR <envios@entrega-reprogramar.info>',
    'Su paquete',
    'No hemos podido entregar su paquete. Abone 1,50 € de gastos para reprogramar la entrega.',
  ),
  fraud(
    'Netflix España <pagos@cuenta-suspension.net>',
    'Pago rechazado',
    'Su último pago ha sido rechazado. Actualice su método de pago en 24 horas o cancelaremos su suscripción.',
  ),
  fraud(
    'DGT <multas@sede-multas.com>',
    'Multa pendiente',
    'Tiene una multa pendiente de pago. Pague hoy para evitar un recargo y el embargo.',
  ),
  fraud(
    'Soporte Microsoft <alertas@correo-verificado.com>',
    'Buzón',
    'Su buzón está lleno. Verifique su cuenta hoy o será desactivada.',
  ),
  fraud(
    'Endesa <devoluciones@clientes-luz.com>',
    'Devolución',
    'Tiene derecho a un reembolso de 84,20 €. Complete el formulario con su tarjeta bancaria.',
  ),
  // Italian
  fraud(
    'Poste Italiane <avvisi@postepay-verifica.info>',
    'Avviso',
    'Gentile cliente, la sua PostePay è stata sospesa. Acceda subito e confermi i suoi dati per evitare la chiusura del conto.',
  ),
  fraud(
    'Corriere BRT <info@consegna-in-giacenza.com>',
    'Spedizione in giacenza',
    'Il tuo pacco è in giacenza. Paga 1,99 € di spese di spedizione entro 24 ore o sarà restituito al mittente.\n\nBRT Spedizioni',
  ),
  fraud(
    'Assistenza Netflix <fatture@abbonamento-rinnovo.net>',
    'Pagamento non riuscito',
    'Il pagamento non è riuscito. Aggiorna il metodo di pagamento o il tuo abbonamento sarà annullato.',
  ),
  fraud(
    'Agenzia delle Entrate <rimborsi@fisco-online.net>',
    'Rimborso fiscale',
    'Hai diritto a un rimborso di 268,00 €. Compila il modulo con i dati della carta.',
  ),
  fraud(
    'INPS <bonus@domande-inps.com>',
    'Bonus',
    'Le spetta un rimborso a suo favore. Inserisca l’IBAN nel modulo entro oggi.',
  ),
  fraud(
    'Enel Energia <fatture@distacco-fornitura.com>',
    'Ultimo avviso',
    'La bolletta risulta scaduta. Paghi entro oggi per evitare il distacco.',
  ),
  // Dutch
  fraud(
    'Rabobank <service@scanner-vernieuwen.com>',
    'Uw scanner verloopt',
    'Geachte klant, uw Rabo Scanner verloopt binnenkort. Vraag direct een nieuwe aan, anders wordt uw rekening geblokkeerd.',
  ),
  fraud(
    'PostNL <bezorging@pakket-wacht.info>',
    'Uw pakket',
    'Uw pakket wordt vastgehouden. Betaal € 1,95 invoerkosten binnen 24 uur.',
  ),
  fraud(
    'Klantenservice Netflix <betaling@lidmaatschap-actief.net>',
    'Betaling mislukt',
    'De betaling van uw abonnement is mislukt. Werk uw betaalgegevens bij, anders wordt het lidmaatschap stopgezet.',
  ),
  fraud(
    'Belastingdienst <teruggave@inkomsten-online.com>',
    'Teruggave',
    'U hebt recht op een belastingteruggave van € 231,00. Vul het formulier in met uw bankgegevens.',
  ),
  fraud(
    'CJIB <boete@betaling-openstaand.com>',
    'Openstaande boete',
    'Uw boete is nog niet betaald. Betaal vandaag om een deurwaarder te voorkomen.',
  ),
  fraud(
    'Ziggo <webmail@mailbox-limiet.com>',
    'Mailbox',
    'Uw mailbox is 99% vol. Log in om uw account te behouden, anders wordt hij vandaag gedeactiveerd.',
  ),
  // Polish
  fraud(
    'PKO Bank Polski <kontakt@ipko-weryfikacja.com>',
    'Ważna wiadomość',
    'Szanowni Państwo, dostęp do rachunku został ograniczony. Prosimy zalogować się i potwierdzić dane w ciągu 24 godzin.',
  ),
  fraud(
    'Poczta Polska <info@przesylka-doplata.com>',
    'Przesyłka zatrzymana',
    'Twoja przesyłka została zatrzymana. Opłać 2,99 zł, aby kurier mógł ją dostarczyć.',
  ),
  fraud(
    'Pomoc Netflix <platnosci@odnowienie-konta.net>',
    'Płatność odrzucona',
    'Twoja płatność została odrzucona. Zaktualizuj metodę płatności, inaczej subskrypcja zostanie anulowana.',
  ),
  fraud(
    'Urząd Skarbowy <zwrot@podatki-online.com>',
    'Zwrot podatku',
    'Przysługuje Ci zwrot podatku w wysokości 512,00 zł. Wypełnij formularz i podaj numer karty.',
  ),
  fraud(
    'PGE <faktury@rozliczenia-energia.com>',
    'Ostateczne wezwanie',
    'Zaległa faktura za energię nie została opłacona. Zapłać dziś, aby uniknąć odłączenia.\n\nPGE Obsługa Klienta',
  ),
  fraud(
    'Allegro Lokalnie <kupujacy@odbior-srodkow.com>',
    'Sprzedano przedmiot',
    'Kupujący zapłacił. Aby odebrać pieniądze, podaj dane karty w ciągu 24 godzin.',
  ),
  // Portuguese
  fraud(
    'Millennium bcp <seguranca@acesso-cliente.info>',
    'Conta limitada',
    'Caro cliente, a sua conta foi limitada. Confirme os seus dados nas próximas 24 horas para evitar o bloqueio.',
  ),
  fraud(
    'CTT <envios@encomenda-retida.info>',
    'Encomenda retida',
    'A sua encomenda está retida na alfândega. Pague 1,99 € de taxas para a entrega.',
  ),
  fraud(
    'Suporte Netflix <conta@assinatura-ativa.net>',
    'Pagamento recusado',
    'O seu pagamento foi recusado. Atualize o cartão para evitar a suspensão da assinatura.',
  ),
  fraud(
    'Autoridade Tributária <irs@reembolso-irs.com>',
    'Reembolso de IRS',
    'Tem direito a um reembolso de 214,00 €. Preencha o formulário com os dados bancários.',
  ),
  fraud(
    'EDP <faturas@corte-energia.com>',
    'Último aviso',
    'A sua fatura está em atraso. Pague hoje para evitar o corte.',
  ),
  fraud(
    'Apoio ao Cliente MEO <correio@caixa-cheia.com>',
    'Caixa de correio',
    'A sua caixa de correio está cheia. Inicie sessão hoje ou a conta será suspensa.',
  ),
];

/** Brands in other scripts, whose words are not read. */
export const scripts: readonly WrittenMail[] = [
  fraud('三井住友カード株式会社 <info@card-kakunin.top>', 'お知らせ', 'ご利用確認のお願い'),
  fraud('Amazonカスタマーサービス <no-reply@prime-koushin.com>', 'お知らせ', 'お支払い方法の更新'),
  fraud('えきねっと <info@railway-kaiin.top>', '会員の更新', '会員情報の確認'),
  fraud('支付宝 <service@zhifu-kefu.top>', '账户提醒', '请确认'),
  fraud('中国银行客服 <info@bank-tongzhi.com>', '通知', '请登录'),
  fraud('네이버 고객센터 <admin@member-security.top>', '알림', '로그인'),
  fraud('국민은행 <info@bank-anjeon.com>', '알림', '확인'),
  fraud('Сбербанк <info@client-vhod.com>', 'Уведомление', 'Подтвердите вход'),
  fraud('Госуслуги <no-reply@lk-podtverdit.com>', 'Уведомление', 'Подтвердите'),
  fraud('Εθνική Τράπεζα <info@e-banking-login.com>', 'Ειδοποίηση', 'Συνδεθείτε'),
  fraud('ΕΛΤΑ Courier <info@dema-paradosi.com>', 'Δέμα', 'Πληρώστε'),
  fraud('Ziraat Bankası <bilgi@musteri-giris.com>', 'Bildirim', 'Giriş yapın'),
  fraud('PTT Kargo <bilgi@kargo-teslim.com>', 'Kargonuz', 'Ödeme yapın'),
];
