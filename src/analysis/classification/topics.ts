import { toOneLine } from '../text/plain.ts';

/** What a text is about, as far as words of many languages show it. */
export type Topic = 'offer' | 'issue' | 'appeal' | 'order' | 'account' | 'appointment' | 'notice';

/**
 * Patterns by topic. An `offer`, an `issue` of a newsletter and an `appeal` go to many; an `order`, an
 * `account` and an `appointment` concern one reader; a `notice` is written by a machine.
 */
const TOPICS: Readonly<Record<Topic, readonly string[]>> = {
  offer: [
    String.raw`%\d{1,2}(?!\d)|(?:-|up to |bis zu |jusqu'à |hasta |fino al |até |tot |nawet o |save |extra |take |get |最大)\s?\d{1,2}\s?(?:%|percent|prozent)|\d{1,2}\s?(?:%|percent|prozent)\s?(?:off|rabatt|auf |günstiger|de (?:réduction|remise|rabais|descuento|desconto)|di sconto|korting|indirim|discount|less|cheaper|taniej|zniżki|slev[ay]|kedvezmény\p{L}*|alennus\p{L}*|rabat|скидк\p{L}*|знижк\p{L}*|オフ|割引|할인|off)`,
    'sale|clearance|black friday|cyber monday|flash sale|special offers?|exclusive offers?|best offers?|deals?(?: of)?',
    'discounts?|coupons?|vouchers?|promo(?:tion)? codes?|gift cards?|free shipping|buy (?:one|1) get|limited time|while stocks? last',
    'shop (?:now|the|our)|buy now|order now|book now|save (?:my|your) (?:seat|spot)|last (?:seats|chance)|reserve your|claim your|grab (?:your|yours)',
    'new (?:arrivals?|collection|in store|season|range)|this season|our (?:best|top|latest|new) |just (?:landed|dropped|launched)|back in stock|introducing|we miss you|come back|left something|still in your (?:cart|basket)|your (?:cart|basket) (?:still|is)',
    'upgrade (?:now|today|to|your)|go (?:pro|premium)|(?:pro|premium|paid) (?:plan|account|version|membership)|do more with|get more (?:from|out of)|try .{1,20} (?:for )?free|free trial of|happy birthday|a gift (?:for|from)|treat yourself|refer a friend|invite (?:your )?friends|earn (?:points|rewards)|rewards? points|don.t miss|you.ll love|(?:picked|recommended|handpicked|selected|just) for you|gift guide|giveaway|win an? |lookbook|unlock|starts (?:now|today)|ends (?:tonight|today|soon|tomorrow|sunday)|tonight only|today only|announcing|meet the new|prices? from|from only|black week',
    'join us (?:on|for|at|in)|webinar|register (?:now|today|here)|early bird|tickets? (?:on sale|from)',
    'rabatt|gutschein|angebote?|sonderangebot|aktion(?:swoche|spreis)|einführungspreis|jetzt (?:kaufen|bestellen|sparen|entdecken|buchen|sichern)|schlussverkauf|versandkostenfrei|neu(?:heiten)? im|neue kollektion|nur (?:heute|bis)|ab sofort gibt es',
    'promo(?:s|tions?)?|soldes?|remises?|réductions?|offres? (?:spéciales?|exclusives?|du)|profitez|en profite|codes? promo|livraison (?:offerte|gratuite)|nouvelle collection|nouveautés',
    'rebajas?|ofertas?|descuentos?|cup[oó]n|compr[ae]r? (?:ahora|ya)|env[ií]o gratis|novedades|oportunidad',
    'sconti|saldi|offert[ae]|acquista (?:ora|subito)|spedizione gratuita|novità',
    'desconto|promoção|promoções|compre (?:agora|já)|frete grátis|aproveite',
    'korting|aanbieding(?:en)?|actie|nu bestellen|gratis verzending|uitverkoop|nieuwe collectie',
    'rea|erbjudanden?|fri frakt|tilbud|udsalg|salg|tarjou(?:s|kset)|alennus',
    'wyprzedaż|promocj[aei]|rabat|zniżk[aię]|darmowa dostawa|sleva|výprodej|akció|kedvezmény|indirim|kampanya',
    'скидк[аиу]|акци[яи]|распродаж[аи]|промокод|бесплатная доставка|знижк[аи]',
    'セール|割引|オフ|クーポン|送料無料|新商品|キャンペーン|优惠|折扣|促销|限时|特惠|세일|할인|쿠폰',
  ],
  issue: [
    "newsletters?|(?:weekly|daily|monthly) (?:digest|picks?|update|news|roundup|letter|summary)|this (?:week|month) (?:at|in|on|i)\\b|digest|round-?up|what's new|(?:issue|edition|vol\\.?) ?(?:no\\.? ?)?#?\\d+|#\\d+:|news feed|top (?:stories|picks)|(?:read|learn) more on (?:our|the) blog|in this (?:issue|edition)|picks of the (?:week|month)|our (?:weekly|monthly)",
    'rundbrief|wochen(?:brief|rückblick|übersicht)|neuigkeiten|monatsbrief|ausgabe (?:nr\\. ?)?\\d+',
    "lettre d'(?:information|infos?)|infolettre|actualités|la lettre|bolet[ií]n|noticias de la semana|bollettino|notiziario|boletim|nieuwsbrief|nyhetsbrev|nyhedsbrev|uutiskirje|biuletyn|zpravodaj|hírlevél|bülten|рассылк[аи]|новости недели|メルマガ|ニュースレター|通讯|周刊|뉴스레터",
    '(?:because|as) you (?:signed up|subscribed|opted in|registered)|you are receiving this (?:email|newsletter|message) because|you get this because',
  ],
  appeal: [
    'donat(?:e|ion)|give (?:today|now)|your gift|fundrais(?:er|ing)|please help|will you help|sign the petition|registered charity|spenden?|jetzt helfen|faites un don|dona(?:r|ción|zione)? ahora|doneer',
    'your (?:opinion|feedback) matters|take (?:our|the|a) (?:short |quick )?survey|rate (?:us|our)|how (?:did we do|are we doing)|ihre meinung|umfrage|votre avis|tu opinión|su opinión|encuesta',
  ],
  order: [
    'invoices?|receipts?|bill(?:ing)? (?:statement|for)|(?:payment|order|booking|purchase) (?:of|received|confirm(?:ed|ation)|(?:no\\.? ?)?#? ?\\p{L}{0,3}-?\\d+)|thank(?:s| you) for your (?:order|purchase|payment|booking)|your (?:order|purchase|payment|invoice|receipt|booking|ticket|delivery|parcel|package|shipment|refund|subscription (?:has|was|is|will))',
    '(?:has|have|was|been) (?:been )?(?:shipped|dispatched|delivered|refunded)|on its way|out for delivery|left our warehouse|track (?:it|your|the)|tracking (?:number|id|code)|order \\d+|statement (?:is|for|of)|(?:monthly|bank|account|card) statement|(?:is|are|now) ready (?:to|for) (?:download|view|collect|pick)|payment (?:failed|declined|method)|renew(?:al|s|ed) (?:on|of|notice|receipt)|contract|policy (?:number|documents)|amount (?:due|paid)|total (?:due|paid)|due (?:on|date|by)|subtotal|card payment|direct debit',
    '(?:could not|couldn.t|unable to) (?:charge|process)|charge your card|payment .{0,30}(?:failed|declined)|update your (?:payment|billing)|card ending|paid (?:by|with) (?:\\p{L}+ )?card|your .{0,30}(?:trip|ride|fare)|thanks for riding|expires in \\d+ days?|renew .{0,40} (?:before|by|to keep)',
    '(?:total|totale?|totaal|summe|gesamt|suma|razem|celkem|összesen|i alt|totalt|sammanlagt|yhteensä|toplam|итого|всього|сума|сумма|σύνολο|المجموع|סה.?כ)[^\\p{L}\\p{N}]{0,4}\\d+',
    'rechnung|bestell(?:ung|nummer|bestätigung)|quittung|zahlung(?:sbestätigung|seingang)?|sendung(?:snummer|sverfolgung)?|versandt|lieferung|fällig am|gutschrift',
    'facture|reçu|commande|expédi[ée]e?|livraison de votre|suivi de|paiement|factura|recibo|pedido|enviad[oa]|pago recibido|fattura|ricevuta|ordine|spedit[oa]|pagamento|fatura|encomenda|factuur|bestelling|betaling|verzonden|kvitto|faktura\\p{L}*|beställning\\p{L}*|(?:ordre|bestilling)\\p{L}*|kvittering|lasku\\p{L}*|tilaus(?:vahvistus|numero)?|paketti\\p{L}*|zamówieni\\p{L}*|płatnoś\\p{L}*|przesyłk\\p{L}*|objednávk\\p{L}*|zásilk\\p{L}*|száml[aá]\\p{L}*|fizetend\\p{L}*|rendelés\\p{L}*|fatura\\p{L}*|sipariş\\p{L}*|kargo\\p{L}*|счет|заказ\\p{L}*|замовленн\\p{L}*|посылк\\p{L}*|оплат\\p{L}*|comanda (?:dvs|ta|dumneavoastră|nr|\\d)|colet\\p{L}*|đơn hàng|hóa đơn|pesanan|tagihan|παραγγελί\\p{L}*|τιμολόγι\\p{L}*|請求書|ご注文|領収書|発送|お届け|订单|訂單|发票|發票|发货|出貨|주문|영수증|배송|طلبك|شحن|فاتورة|הזמנתך|הזמנה|חשבונית|קבלה',
  ],
  account: [
    'password|passcode|(?:sign|log)[- ]?in (?:code|link|attempt|from|to)|(?:verification|security|confirmation|one-time|access) code|two-?factor|2fa|otp|valid for \\d+ (?:minutes|hours)',
    "(?:verify|confirm|activate) your (?:e-?mail|account|address|identity|registration|subscription)|(?:e-?mail|account) (?:verification|confirmation|activation)|reset (?:your|the)|account (?:settings|details) (?:have|has|were|was)|(?:settings|profile|address|details) (?:have|has) been (?:updated|changed)|new (?:sign|log)-?in|security alert|unusual (?:sign|activity)|password (?:was|has been) changed|export is ready|invited you to|if you did(?:n't| not) (?:request|sign up|make|create|ask)|activate your|welcome(?: to|,|!| aboard)|willkommen|bienvenue|bienvenid[oa]|benvenut[oa]|approaching your limit|terms of service|privacy policy (?:update|change)s?",
    '(?:is your|your) (?:\\p{L}+ ){0,3}(?:pass)?code|(?:use|enter) (?:the )?(?:code )?\\d{4,8}|(?:expires|valid) in \\d+ (?:minutes|hours)|(?:never|not) (?:share|ask (?:you )?for|give) (?:this|the|that) code|changes? to your (?:\\p{L}+ ){0,3}(?:account|plan|agreement|terms)|chang(?:ing|es to) (?:the|our) terms|(?:access|sign|log)(?:ed)?[- ]?in (?:attempt|from a new|detected)',
    '\\p{L}*(?:code|kode|kod|koden|koodi|codice|código|codigo|код|κωδικός|رمز|קוד|mã)\\p{L}{0,3}(?:[^\\p{L}\\p{N}]{1,3}\\p{L}{1,4})?[^\\p{L}\\p{N}]{1,3}\\d{4,8}',
    'passwort|kennwort|(?:ihr|dein)[\\p{L} -]{0,20}code|einmalcode|bestätigungscode|sicherheitscode|zugangscode|konto (?:bestätigen|aktivieren)|e-?mail-?adresse bestätigen|mot de passe|votre code|code de (?:vérification|confirmation|sécurité|connexion|validation)|identifiants?|confirmez votre|contraseña|(?:tu|su) código|código de (?:verificación|seguridad|acceso|confirmación)|confirm[ae] (?:tu|su)|codice di (?:verifica|sicurezza|accesso|conferma)|il tuo codice|conferma (?:il|la) tu[oa]|(?:sua|tua|nova) senha|redefinir|palavra-passe|(?:seu|teu) código|código de (?:verificação|acesso|segurança)|wachtwoord|(?:je|uw|jouw) code|(?:verificatie|inlog)code|bevestig (?:je|uw)|lösenord|(?:din |engångs|säkerhets|verifierings)kod|adgangskode|passord\\p{L}*|salasana\\p{L}*|engangs\\p{L}*|parol[ăae]\\p{L}*|kata sandi|mật khẩu|كلمة المرور|סיסמה|hasł\\p{L}*|kod (?:weryfikacyjny|dostępu|logowania)|hesl\\p{L}*|ověřovací kód|jelsz\\p{L}*|şifre\\p{L}*|(?:doğrulama|onay|güvenlik) kodu\\p{L}*|парол\\p{L}*|код (?:подтверждения|доступа|для входа|для входу|підтвердження)|κωδικ\\p{L}*|パスワード|認証コード|確認コード|密码|密碼|验证码|驗證碼|비밀번호|인증',
  ],
  appointment: [
    '(?:your |reminder of (?:your )?|the |an )appointment|appointment (?:on|at|reminder|confirmed)|reservation|booking reference|boarding pass|check-?in (?:is|opens)|itinerary|your (?:flight|stay|trip|visit|ride)|rescheduled|termin(?:bestätigung|erinnerung)?|buchung(?:sbestätigung)?|rendez-vous|réservation|cita (?:médica|el|del)|reserva|appuntamento|prenotazione|afspraak|reservering|tid hos|wizyt[aęy]|rezerwacj[ai]|予約|预约|预订|예약',
  ],
  notice: [
    'commented on|mentioned you|replied to (?:your|you)|assigned (?:you|to)|new comment|(?:build|pipeline|deployment)(?: #\\d+)? (?:has )?(?:failed|passed|succeeded|fixed)|\\[(?:down|up|alert|resolved|firing|ok|warning|critical|problem|recovery)(?::\\d+)?\\]|(?:job|backup|cron) .{0,20}(?:failed|done|completed)|out of (?:the )?office|automatic reply|auto-?reply|autoreply|i am (?:away|out)|(?:we|have) (?:got|received) your (?:request|message|ticket)|ticket (?:#|has)|scan from|undeliver(?:ed|able)|delivery (?:status|has failed|failure)|mail delivery|returned mail|abwesenheit|automatische antwort|réponse automatique|respuesta automática|risposta automatica|自動返信|自动回复',
  ],
};

/** How much of a text is read, in characters: what a mail is about stands at its beginning and end. */
const MAX_TOPIC_TEXT = 20_000;

const PATTERNS = Object.entries(TOPICS).map(
  ([topic, patterns]) =>
    [
      topic as Topic,
      new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${patterns.join('|')})(?![\p{L}\p{N}])`, 'giu'),
      // Scripts without spaces have no words' ends.
      new RegExp(
        patterns.flatMap((one) => one.split('|').filter(isUnspaced)).join('|') || '(?!)',
        'gu',
      ),
    ] as const,
);

function isUnspaced(word: string): boolean {
  return /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+$/u.test(word);
}

export type TopicCounts = Readonly<Record<Topic, number>>;

/** How many different phrases of each topic a text holds: never which. */
export function countTopics(text: string): TopicCounts {
  const plain = toOneLine(
    text.length > MAX_TOPIC_TEXT
      ? `${text.slice(0, MAX_TOPIC_TEXT / 2)} ${text.slice(-MAX_TOPIC_TEXT / 2)}`
      : text,
  );
  const counts = PATTERNS.map(([topic, spaced, unspaced]) => {
    const found = [...plain.matchAll(spaced), ...plain.matchAll(unspaced)];
    return [topic, new Set(found.map(([phrase]) => phrase.trim())).size] as const;
  });
  return Object.fromEntries(counts) as TopicCounts;
}
