import { type Messages, plural } from "./messages.ts";

export const de: Messages = {
  locale: "de",
  direction: "ltr",
  language: "Sprache",
  payment: "Zahlung",
  paymentTo: (store) => `Zahlung an ${store}`,
  sandbox: "Testzahlung. Es fließt kein echtes Geld.",
  orderNumber: "Bestellung",
  explorer: "Im Explorer ansehen",
  help: (email) => `Fragen? Schreiben Sie an ${email}`,
  backToStore: (store) => (store === null ? "Zurück zum Shop" : `Zurück zu ${store}`),
  copy: "Kopieren",
  copied: "Kopiert",
  copyFailed: "Kopieren fehlgeschlagen. Bitte markieren und kopieren Sie den Text.",
  titles: {
    choose: "Zahlungsart wählen",
    waiting: "Warten auf Zahlung",
    seen: "Zahlung erkannt",
    partial: "Teilweise bezahlt",
    paid: "Bezahlt",
    unresolved: "Ihre Zahlung wird geprüft",
    expired: "Diese Zahlung ist abgelaufen",
    cancelled: "Diese Zahlung wurde storniert",
  },
  choose: {
    lead: "Wählen Sie Kryptowährung und Netzwerk für Ihre Zahlung.",
    leadOpen:
      "Wählen Sie Kryptowährung und Netzwerk für Ihre Zahlung. Den Betrag bestimmen Sie selbst.",
    search: "Währung oder Netzwerk suchen",
    currencies: "Kryptowährungen",
    nothingFound: "Keine Kryptowährung entspricht Ihrer Suche.",
    nothingOffered:
      "Zurzeit ist keine Kryptowährung verfügbar. Bitte versuchen Sie es später erneut.",
    found: (count) =>
      `${count} ${plural("de", count, { one: "Kryptowährung", other: "Kryptowährungen" })} gefunden`,
    onNetwork: (network) => `auf ${network}`,
    anyAmount: "beliebiger Betrag",
    minimum: (amount) => `mindestens ${amount}`,
    unavailable: {
      below_minimum: (minimum) => `Unter dem Mindestbetrag von ${minimum}`,
      no_rate: () => "Zurzeit kein Kurs verfügbar",
      paused: () => "Zurzeit nicht verfügbar",
    },
    irrevocable: "Die Kryptowährung lässt sich später nicht mehr ändern.",
    submit: (name) => `Mit ${name} zahlen`,
    submitNone: "Kryptowährung wählen",
    working: "Bitte warten…",
  },
  pay: {
    amount: "Zu sendender Betrag",
    amountRemaining: "Restbetrag",
    amountOpen: "Senden Sie einen beliebigen Betrag",
    address: "Adresse",
    tag: { destination_tag: "Destination-Tag", memo: "Memo", comment: "Kommentar" },
    tagWarning: (label) =>
      `Füllen Sie in Ihrer Wallet auch das Feld „${label}“ aus. Sonst geht Ihre Zahlung verloren.`,
    account: "Konto",
    combined: (label) => `Oder eine Adresse, die „${label}“ enthält, wenn Ihre Wallet sie annimmt`,
    accountHint: (label) =>
      `Die Adresse oben enthält das Feld „${label}“. Nimmt Ihre Wallet sie nicht an, senden Sie an dieses Konto und füllen Sie das Feld „${label}“ aus. Sonst geht Ihre Zahlung verloren.`,
    network: (name, network) => `${name} auf ${network}`,
    networkWarning: (code, network) =>
      `Senden Sie nur ${code} und nur über das Netzwerk ${network}. Alles andere kann verloren gehen.`,
    simulated: "Testwährung ohne echten Wert.",
    qr: (code) => `QR-Code mit Adresse und Betrag für die Zahlung mit ${code}`,
    openWallet: "In Wallet-App öffnen",
    expiresIn: "Läuft ab in",
    timeAnnounced: (minutes) =>
      `Noch ${minutes} ${plural("de", minutes, { one: "Minute", other: "Minuten" })} zum Bezahlen`,
    exactly: "Senden Sie genau diesen Betrag. Ihre Wallet rechnet die Netzwerkgebühr hinzu.",
    feeHint: "Ihre Wallet rechnet die Netzwerkgebühr hinzu.",
    preparing: "Die Zahlungsadresse wird vorbereitet. Sie erscheint hier in wenigen Sekunden.",
    receivedOpen: (amount) => `Bisher eingegangen: ${amount}`,
    alreadyPaid: "Schon bezahlt? Diese Seite aktualisiert sich automatisch.",
  },
  rate: {
    line: (code, price, isExact) => `1 ${code} ${isExact ? "=" : "≈"} ${price}`,
    lockedUntil: (time) => `Kurs garantiert bis ${time}`,
    notLocked: "Der Kurs ist nicht garantiert. Es gilt der Kurs beim Eingang Ihrer Zahlung.",
    expired: "Der Wechselkurs ist abgelaufen.",
    updating: "Wechselkurs wird aktualisiert…",
    update: "Wechselkurs aktualisieren",
    updateFailed: "Die Aktualisierung ist fehlgeschlagen.",
  },
  wallet: {
    pay: (wallet) => (wallet === null ? "Mit Browser-Wallet zahlen" : `Mit ${wallet} zahlen`),
    pending: "Bitte in der Wallet bestätigen…",
    sent: "Gesendet. Die Zahlung erscheint hier, sobald das Netzwerk sie erkennt.",
    hint: "Ihre Wallet fragt nach Ihrer Bestätigung, bevor sie etwas sendet.",
    changed:
      "Der Betrag hat sich geändert. Es wurde nichts gesendet. Bitte prüfen Sie den neuen Betrag und versuchen Sie es erneut.",
    errors: {
      rejected: () => "Sie haben die Anfrage in der Wallet abgelehnt. Es wurde nichts gesendet.",
      busy: () =>
        "In Ihrer Wallet ist noch eine Anfrage offen. Öffnen Sie die Wallet und beantworten Sie sie.",
      wrong_network: (network) =>
        `Ihre Wallet hat nicht zu ${network} gewechselt. Es wurde nichts gesendet.`,
      unknown_network: (network) =>
        `Ihre Wallet kennt das Netzwerk ${network} noch nicht. Fügen Sie es dort zuerst hinzu. Es wurde nichts gesendet.`,
      no_account: () => "Ihre Wallet hat kein Konto freigegeben. Es wurde nichts gesendet.",
      funds: (network) =>
        `Das Guthaben Ihrer Wallet reicht für den Betrag oder die Netzwerkgebühr auf ${network} nicht aus. Es wurde nichts gesendet.`,
      failed: () =>
        "Ihre Wallet hat einen Fehler gemeldet. Prüfen Sie in der Wallet, ob die Zahlung gesendet wurde, bevor Sie es erneut versuchen.",
    },
  },
  seen: {
    confirmedTitle: "Zahlung eingegangen",
    confirmedLead: "Ihre Zahlung hat alle Bestätigungen und wird gutgeschrieben.",
    lead: "Das Netzwerk hat Ihre Zahlung erkannt. Nach einigen Bestätigungen ist sie endgültig.",
    confirmations: (done, needed) =>
      `${done} von ${needed} ${plural("de", needed, { one: "Bestätigung", other: "Bestätigungen" })}`,
    waitsForBlock: "Warten auf die erste Bestätigung",
    mayClose: "Sie sind fertig und können diese Seite schließen.",
  },
  partial: {
    lead: (received, missing) =>
      `Erhalten: ${received}. Restbetrag: ${missing}. Bitte senden Sie den Rest an dieselbe Adresse.`,
  },
  paid: {
    lead: (store) =>
      store === null
        ? "Ihre Zahlung ist eingegangen. Vielen Dank!"
        : `${store} hat Ihre Zahlung erhalten. Vielen Dank!`,
    receipt: "Beleg",
    store: "Shop",
    description: "Beschreibung",
    price: "Preis",
    requested: "Rechnungsbetrag",
    received: "Erhalten",
    refunded: "Erstattet",
    time: "Zeitpunkt",
    network: "Netzwerk",
    transaction: (count) => plural("de", count, { one: "Transaktion", other: "Transaktionen" }),
    reference: "Zahlungs-ID",
    print: "Drucken oder speichern",
  },
  expired: {
    lead: "Innerhalb der Zahlungsfrist ist keine Zahlung eingegangen. Ihnen wurde nichts berechnet.",
    doNotPay:
      "Senden Sie nichts an die Adresse, die Sie erhalten haben. Kehren Sie zum Shop zurück, um es erneut zu versuchen.",
  },
  cancelled: {
    lead: "Der Shop hat diese Zahlung storniert. Ihnen wurde nichts berechnet.",
    doNotPay: "Senden Sie nichts an die Adresse, die Sie erhalten haben.",
  },
  unresolved: {
    lead: {
      overpaid: (excess) =>
        `Sie haben ${excess === null ? "" : `${excess} `}mehr als den fälligen Betrag gezahlt. Ihr Geld ist sicher.`,
      late: () =>
        "Ihre Zahlung ist nach Ablauf der Zahlungsfrist eingegangen. Ihr Geld ist sicher.",
      second_payment: () =>
        "Sie haben eine zweite Zahlung gesendet, nachdem der fällige Betrag schon bezahlt war. Ihr Geld ist sicher.",
      partial: () =>
        "Bis zum Ablauf der Zahlungsfrist ist nur ein Teil des Betrags eingegangen. Ihr Geld ist sicher.",
      cancelled: () =>
        "Der Shop hat diese Zahlung storniert, bevor Ihr Geld eingegangen ist. Ihr Geld ist sicher.",
      other: () => "Der Shop muss Ihre Zahlung prüfen. Ihr Geld ist sicher.",
    },
    next: "Wie es weitergeht",
    steps: [
      "Der Shop prüft Ihre Zahlung.",
      "Der Shop nimmt die Zahlung an oder erstattet sie.",
      "Diese Seite zeigt das Ergebnis automatisch an.",
    ],
  },
  refund: {
    title: "Erstattungsadresse",
    lead: (code, network) =>
      `Falls der Shop Ihnen Geld erstattet, wird es an diese Adresse gesendet. Geben Sie eine eigene ${code}-Adresse (Netzwerk ${network}) an.`,
    label: (code) => `Ihre ${code}-Adresse`,
    submit: "Erstattungsadresse speichern",
    final: "Prüfen Sie die Adresse: Nach dem Speichern lässt sie sich nicht mehr ändern.",
    saved: "Ihre Erstattungsadresse:",
    fixed: "Sie lässt sich hier nicht ändern. Falls sie falsch ist, wenden Sie sich an den Shop.",
    empty: "Geben Sie eine Adresse ein.",
    invalid: (network) => `Geben Sie eine gültige Adresse im Netzwerk ${network} ein.`,
    tagHint: (label) =>
      `${label}: Die meisten Börsen verlangen diese Angabe. Ohne sie kann die Erstattung verloren gehen. Lassen Sie das Feld nur leer, wenn Ihre Wallet nichts dazu anzeigt.`,
    invalidTag: (label) => `Prüfen Sie das Feld „${label}“: Es passt nicht zu dieser Adresse.`,
  },
  arrivals: {
    title: "Eingegangene Zahlungen",
    states: {
      pending: "Ausstehend",
      confirmed: "Bestätigt",
      waiting: "In Prüfung",
      wrong_asset: "Falsche Währung",
      too_small: "Unter Mindestbetrag",
      held: "In Prüfung",
      reverted: "Rückgängig gemacht",
      returned: "Erstattet",
    },
    explained: {
      wrong_asset: (code) =>
        `Der Shop hat keine Zahlung in ${code} angefordert, deshalb wurde diese Zahlung nicht gutgeschrieben. Bitte wenden Sie sich an den Shop.`,
      too_small: () =>
        "Diese Zahlung liegt unter dem Mindestbetrag und wurde nicht gutgeschrieben.",
      held: () => "Diese Zahlung wird vor der Gutschrift geprüft. Sie müssen nichts weiter tun.",
      reverted: () =>
        "Das Netzwerk hat diese Zahlung rückgängig gemacht. Sie wird nur gutgeschrieben, wenn sie erneut bestätigt wird.",
      returned: () => "Der Shop hat diese Zahlung erstattet.",
    },
  },
  connection: {
    reconnecting: "Verbindung wird wiederhergestellt…",
    offline: "Sie sind offline. Die Seite aktualisiert sich, sobald Sie wieder online sind.",
  },
  failureTitles: {
    not_found: "Diese Zahlungsseite gibt es nicht",
    throttled: "Zu viele Anfragen",
    unavailable: "Zahlungsseite nicht verfügbar",
  },
  failures: {
    not_found: "Prüfen Sie den Link. Senden Sie keine Zahlung.",
    throttled:
      "Aus Ihrem Netz kamen zu viele Anfragen. Diese Seite versucht es in etwa einer Minute automatisch erneut.",
    unavailable:
      "Bitte versuchen Sie es gleich noch einmal. Bereits gesendete Zahlungen gehen nicht verloren.",
  },
  tryAgain: "Erneut versuchen",
  refused: {
    throttled: "Zu viele Versuche. Bitte warten Sie einen Moment und versuchen Sie es erneut.",
    unavailable: "Der Dienst antwortet nicht. Bitte versuchen Sie es erneut.",
    offline: "Sie sind offline. Versuchen Sie es erneut, sobald Sie wieder online sind.",
    choice: "Diese Zahlung hat sich geändert, deshalb wurde Ihre Auswahl nicht gespeichert.",
    address: "Diese Zahlung hat sich geändert, deshalb wurde Ihre Adresse nicht gespeichert.",
    gone: "Diese Zahlungsseite gibt es nicht mehr.",
    no_rate:
      "Für diese Kryptowährung ist zurzeit kein Kurs verfügbar. Wählen Sie eine andere oder versuchen Sie es später erneut.",
  },
  selfUpdating: "Live-Aktualisierung aktiv.",
};
