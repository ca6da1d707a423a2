import { type Messages, plural } from "./messages.ts";

export const de: Messages = {
  locale: "de",
  direction: "ltr",
  language: "Sprache",
  payment: "Zahlung",
  paymentTo: (shop) => `Zahlung an ${shop}`,
  sandbox: "Testzahlung. Es fließt kein echtes Geld.",
  help: (email) => `Fragen? Schreiben Sie an ${email}`,
  backToShop: (shop) => (shop === null ? "Zurück zum Shop" : `Zurück zu ${shop}`),
  copy: "Kopieren",
  copied: "Kopiert",
  copyFailed: "Kopieren ging nicht. Bitte markieren Sie den Text.",
  titles: {
    choose: "Zahlungsart wählen",
    waiting: "Warten auf Zahlung",
    seen: "Zahlung gesehen",
    partial: "Ein Teil fehlt noch",
    paid: "Bezahlt",
    unresolved: "Über Ihre Zahlung wird entschieden",
    expired: "Die Zahlungsfrist ist abgelaufen",
    cancelled: "Diese Zahlung wurde storniert",
  },
  choose: {
    lead: "Wählen Sie die Münze und das Netzwerk, auf dem Ihre Wallet sendet.",
    leadOpen:
      "Wählen Sie die Münze und das Netzwerk, auf dem Ihre Wallet sendet. Den Betrag bestimmen Sie.",
    search: "Münze oder Netzwerk suchen",
    coins: "Münzen",
    nothingFound: "Keine Münze passt zur Suche.",
    nothingOffered: "Zurzeit kann keine Münze gewählt werden. Bitte versuchen Sie es später.",
    found: (count) => `${count} ${plural("de", count, { one: "Münze", other: "Münzen" })} gefunden`,
    onNetwork: (network) => `auf ${network}`,
    anyAmount: "beliebiger Betrag",
    least: (amount) => `mindestens ${amount}`,
    unavailable: {
      below_minimum: (minimum) => `Zu wenig für diese Münze: mindestens ${minimum}`,
      no_rate: () => "Zurzeit ohne Kurs",
      paused: () => "Zurzeit nicht verfügbar",
    },
    unchangeable: "Die Münze lässt sich danach nicht mehr ändern.",
    submit: (name) => `Mit ${name} zahlen`,
    submitNone: "Zuerst eine Münze wählen",
    working: "Einen Moment…",
  },
  pay: {
    amount: "Zu sendender Betrag",
    amountMissing: "Noch zu senden",
    amountOpen: "Senden Sie einen beliebigen Betrag",
    address: "Adresse",
    tag: { tag: "Destination-Tag", memo: "Memo" },
    tagWarning: (label) =>
      `Geben Sie in Ihrer Wallet auch das Feld ${label} an. Ohne diese Angabe ist Ihre Zahlung verloren.`,
    network: (name, network) => `${name} auf ${network}`,
    networkWarning: (code, network) =>
      `Senden Sie nur ${code} und nur über das Netzwerk ${network}. Alles andere kann verloren gehen.`,
    simulated: "Diese Münze ist simuliert: Es gibt sie nur in diesem Test.",
    qr: (code) => `QR-Code: Adresse und Betrag für die Zahlung mit ${code}`,
    openWallet: "In Wallet-App öffnen",
    timeLeft: "Verbleibende Zeit",
    timeAnnounced: (minutes) =>
      `Noch ${minutes} ${plural("de", minutes, { one: "Minute", other: "Minuten" })} zum Zahlen`,
    exactly: "Senden Sie genau diesen Betrag; die Netzwerkgebühr Ihrer Wallet kommt hinzu.",
    feeHint: "Die Netzwerkgebühr Ihrer Wallet kommt hinzu.",
    receivedOpen: (amount) => `Bisher ${amount} eingegangen`,
    alreadyPaid:
      "Schon gesendet? Lassen Sie die Seite offen oder kommen Sie wieder: Sie zeigt Ihre Zahlung von selbst.",
  },
  rate: {
    line: (code, price, isExact) => `1 ${code} ${isExact ? "=" : "≈"} ${price}`,
    fixedFor: "Kurs fest für",
    notFixed: "Kurs nicht fest: Ihre Zahlung zählt zum Kurs bei ihrer Ankunft",
    expired: "Der Kurs ist abgelaufen.",
    updating: "Der aktuelle Kurs wird geholt…",
    update: "Aktuellen Kurs holen",
    updateFailed: "Der Kurs ließ sich nicht erneuern.",
  },
  wallet: {
    pay: (wallet) => (wallet === null ? "Mit Browser-Wallet zahlen" : `Mit ${wallet} zahlen`),
    pending: "Bitte in der Wallet bestätigen…",
    sent: "Von Ihrer Wallet gesendet. Sobald das Netzwerk die Zahlung zeigt, erscheint sie hier.",
    hint: "Ihre Wallet öffnet sich und fragt Sie, bevor etwas gesendet wird.",
    changed:
      "Der zu zahlende Betrag hat sich inzwischen geändert. Nichts wurde gesendet; bitte sehen Sie noch einmal nach.",
    errors: {
      rejected: () => "Sie haben in der Wallet abgelehnt. Nichts wurde gesendet.",
      busy: () => "Ihre Wallet fragt Sie bereits etwas. Öffnen Sie sie und antworten Sie dort.",
      wrong_network: (network) =>
        `Ihre Wallet hat nicht zu ${network} gewechselt. Nichts wurde gesendet.`,
      unknown_network: (network) =>
        `Ihre Wallet kennt das Netzwerk ${network} nicht. Fügen Sie es dort zuerst hinzu. Nichts wurde gesendet.`,
      no_account: () => "Ihre Wallet gab kein Konto frei. Nichts wurde gesendet.",
      funds: (network) =>
        `Ihrer Wallet fehlt der Betrag oder die Netzwerkgebühr auf ${network}. Nichts wurde gesendet.`,
      failed: () =>
        "Ihre Wallet meldete einen Fehler. Sehen Sie dort nach, ob etwas gesendet wurde, bevor Sie es erneut versuchen.",
    },
  },
  seen: {
    lead: "Das Netzwerk zeigt Ihre Zahlung. Nach einigen Bestätigungen ist sie endgültig.",
    confirmations: (done, needed) =>
      `${done} von ${needed} ${plural("de", needed, { one: "Bestätigung", other: "Bestätigungen" })}`,
    waitsForBlock: "Wartet auf den ersten Block",
    mayClose: "Sie müssen nichts weiter tun und können diese Seite schließen.",
  },
  partial: {
    lead: (received, missing) =>
      `${received} sind eingegangen, ${missing} fehlen noch. Bitte senden Sie den Rest an dieselbe Adresse.`,
  },
  paid: {
    lead: (shop) =>
      shop === null
        ? "Ihre Zahlung ist eingegangen. Vielen Dank!"
        : `${shop} hat Ihre Zahlung erhalten. Vielen Dank!`,
    receipt: "Beleg",
    price: "Preis",
    asked: "Verlangt",
    received: "Erhalten",
    time: "Zeit",
    network: "Netzwerk",
    transaction: (count) => plural("de", count, { one: "Transaktion", other: "Transaktionen" }),
    reference: "Zahlungsnummer",
    print: "Drucken oder sichern",
  },
  expired: {
    lead: "In der Frist ist nichts eingegangen; es wurde nichts berechnet.",
    doNotPay:
      "Bitte senden Sie nichts mehr an diese Adresse. Wenn Sie noch kaufen möchten, beginnen Sie im Shop von vorn.",
  },
  cancelled: {
    lead: "Der Shop hat sie storniert. Es wurde nichts berechnet.",
    doNotPay: "Bitte senden Sie nichts mehr an diese Adresse.",
  },
  unresolved: {
    lead: {
      overpaid: "Es ist mehr eingegangen, als verlangt war. Ihr Geld ist sicher.",
      late: "Ihre Zahlung kam nach Ablauf der Frist an. Ihr Geld ist sicher.",
      second_payment:
        "Für etwas bereits Bezahltes ist eine zweite Zahlung eingegangen. Ihr Geld ist sicher.",
      partial: "Vor Ablauf der Frist kam nur ein Teil an. Ihr Geld ist sicher.",
      cancelled: "Ihre Zahlung kam für etwas an, das storniert war. Ihr Geld ist sicher.",
      other: "Ihre Zahlung ist da, und der Shop muss sie sich ansehen. Ihr Geld ist sicher.",
    },
    next: "Wie es weitergeht",
    steps: [
      "Der Shop sieht Ihre Zahlung und wurde benachrichtigt.",
      "Er nimmt sie an oder sendet das Geld zurück.",
      "Diese Seite zeigt die Entscheidung von selbst.",
    ],
  },
  refund: {
    title: "Wohin darf Geld zurückgesendet werden?",
    lead: (code, network) =>
      `Falls der Shop erstattet, nutzt er diese Adresse. Sie muss ${code} auf ${network} annehmen und Ihnen gehören.`,
    label: (code) => `Ihre ${code}-Adresse`,
    submit: "Adresse hinterlassen",
    change: "Adresse ändern",
    cancel: "Alte behalten",
    left: "Für eine Erstattung haben Sie diese Adresse hinterlassen:",
    empty: "Bitte geben Sie eine Adresse ein.",
    invalid: (network) => `Das ist keine gültige Adresse auf ${network}. Bitte prüfen Sie sie.`,
  },
  arrivals: {
    title: "Was eingegangen ist",
    states: {
      pending: "Gesehen",
      confirmed: "Bestätigt",
      waiting: "Wartet auf den Shop",
      wrong_asset: "Falsche Münze",
      too_small: "Zu klein",
      held: "Wird geprüft",
      reverted: "Zurückgenommen",
      returned: "Zurückgesendet",
    },
    explained: {
      wrong_asset: (code) =>
        `${code} war hier nicht verlangt und zählt daher nicht. Der Shop kann es sehen: Fragen Sie dort nach Hilfe.`,
      too_small: () =>
        "Das ist weniger als der kleinste Betrag, der gutgeschrieben wird, und zählt nicht.",
      held: () => "Die Zahlung wird geprüft, bevor sie zählt. Sie müssen nichts tun.",
      reverted: () =>
        "Das Netzwerk hat diese Zahlung zurückgenommen. Sie zählt nur, wenn sie wieder erscheint.",
      returned: () => "Der Shop hat dieses Geld zurückgesendet.",
    },
  },
  connection: {
    reconnecting: "Verbindung wird wiederhergestellt…",
    offline: "Sie sind offline. Die Seite macht von selbst weiter.",
  },
  failureTitles: {
    not_found: "Diese Zahlungsseite gibt es nicht",
    throttled: "Zu viele Anfragen",
    unavailable: "Die Seite kann gerade nicht gezeigt werden",
  },
  failures: {
    not_found: "Bitte prüfen Sie den Link. Senden Sie auf diese Seite hin kein Geld.",
    throttled:
      "Aus Ihrem Netz kamen gerade sehr viele Anfragen. Diese Seite versucht es in etwa einer Minute von selbst noch einmal.",
    unavailable:
      "Bitte versuchen Sie es gleich noch einmal. Schon gesendete Zahlungen gehen nicht verloren.",
  },
  tryAgain: "Noch einmal versuchen",
  refused: {
    throttled: "Das war etwas zu oft. Bitte warten Sie einen Moment.",
    unavailable: "Der Dienst antwortet gerade nicht. Bitte versuchen Sie es noch einmal.",
    offline: "Keine Verbindung. Bitte versuchen Sie es, wenn Sie online sind.",
    refused: "Das geht nicht mehr. Die Seite zeigt, wie es steht.",
    gone: "Diese Zahlungsseite gibt es nicht mehr.",
    no_rate: "Für diese Münze gibt es zurzeit keinen Kurs. Bitte nehmen Sie eine andere.",
  },
  selfUpdating: "Diese Seite aktualisiert sich von selbst.",
};
