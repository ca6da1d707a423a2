import type { NoticeWords } from "./notice-words.ts";

export const germanNotices: NoticeWords = {
  titles: {
    payment_received: "Zahlung eingegangen",
    payment_screened: "Zahlung von der Risikoprüfung angehalten",
    payment_held: "Zahlung zurückgehalten",
    payout_held: "Auszahlung zurückgehalten",
    payout_failed: "Auszahlung fehlgeschlagen",
    payout_approval: "Auszahlung zu genehmigen",
    batch_approval: "Sammelauszahlung zu genehmigen",
    change_approval: "Änderung des Auszahlungsschutzes zu genehmigen",
    webhook_failing: "Webhook-Zustellungen schlagen fehl",
    payouts_stopped: "Auszahlungen sind gestoppt",
    payouts_resumed: "Auszahlungen werden fortgesetzt",
    node_down: "Ein Knoten antwortet nicht",
    node_answers: "Ein Knoten antwortet wieder",
  },
  many: {
    paid: (count) => `${count} Zahlungen eingegangen`,
    on_hold: (count) =>
      `Handlungsbedarf: ${count} Zahlungen oder Auszahlungen zurückgehalten oder fehlgeschlagen`,
    approval_waiting: (count) =>
      `${count} Auszahlungen, Sammelauszahlungen oder Änderungen zu genehmigen`,
    webhook_failing: (count) => `Webhook-Zustellungen an ${count} Endpunkte schlagen fehl`,
    payouts_stopped: (count) => `${count} Meldungen über gestoppte oder fortgesetzte Auszahlungen`,
    node_down: (count) => `${count} Meldungen über Knoten`,
  },
  notes: {
    payment_received: null,
    payment_screened: "Sie zählt zu ihrer Einzahlung, sobald ein Betreiber sie freigibt.",
    payment_held:
      "Die Mittel werden zurückgehalten, bis ein Teammitglied sie annimmt oder erstattet.",
    payout_held: "Sie wird vorerst nicht gesendet. Die Mittel bleiben reserviert.",
    payout_failed:
      "Der Betrag wurde nicht ausgezahlt: Er ist wieder in der Wallet oder, bei einer Erstattung, in seiner Einzahlung zurückgehalten. Eine verbrauchte Netzwerkgebühr bleibt belastet.",
    payout_approval:
      "Sie wird gesendet, sobald ein Teammitglied sie genehmigt. Auszahlungen lassen sich nicht rückgängig machen: Vergleichen Sie den Empfänger und die ganze Adresse.",
    batch_approval:
      "Ihre Auszahlungen werden gesendet, sobald ein Teammitglied sie genehmigt. Auszahlungen lassen sich nicht rückgängig machen: Vergleichen Sie Empfänger und Beträge mit dem, was Sie erwarten.",
    change_approval:
      "Ein anderer Inhaber oder Administrator muss sie innerhalb von sieben Tagen genehmigen.",
    webhook_failing:
      "Drei Zustellungen in Folge sind fehlgeschlagen. Sie werden automatisch wiederholt.",
    payouts_stopped:
      "Diese Auszahlungen werden weder angenommen noch gesendet, bis sie fortgesetzt werden.",
    payouts_resumed:
      "Diese Auszahlungen werden wieder angenommen und gesendet, sofern sie nicht noch aus einem anderen Grund gestoppt sind.",
    node_down:
      "Der Knoten antwortet nicht oder ist nicht synchron. Zahlungen werden nicht erkannt, und Auszahlungen warten.",
    node_answers:
      "Der Knoten antwortet seit einer halben Stunde. Davor hat er {minutes} Minuten lang nicht oder nur zeitweise geantwortet.",
  },
  order: (number) => `Bestellung ${number}`,
  deposit: (name) => `Einzahlung ${name}`,
  payout: (name) => `Auszahlung ${name}`,
  paidFor: (amount, subject) => `${amount} für ${subject}`,
  paidTo: (amount, recipient) => `${amount} an ${recipient}`,
  worth: (amount, fiat) => `${amount} (≈ ${fiat})`,
  remark: (text, remark) => `${text} (${remark})`,
  comma: ", ",
  colon: ": ",
  holdCauses: {
    overpaid: (difference) =>
      difference === null ? "zu viel gezahlt" : `${difference} zu viel gezahlt`,
    partial: (difference) =>
      difference === null ? "zu wenig gezahlt" : `${difference} zu wenig gezahlt`,
    late: () => "zu spät gezahlt",
    second_payment: () => "zweite Zahlung",
    cancelled: () => "nach der Stornierung gezahlt",
    screening: () => "von der Risikoprüfung angehalten",
  },
  deliveryErrors: {
    address_refused: "Adresse nicht erlaubt",
    name_not_resolved: "DNS-Abfrage fehlgeschlagen",
    connect_failed: "Verbindung fehlgeschlagen",
    tls_failed: "TLS-Fehler",
    connection_lost: "Verbindung abgebrochen",
    malformed_answer: "ungültige Antwort",
    timed_out: "Zeitüberschreitung",
  },
  payouts: (count) => (count === 1 ? "1 Auszahlung" : `${count} Auszahlungen`),
  requestedBy: (change, name) => `${change} (beantragt von ${name})`,
  allPayouts: "alle Auszahlungen",
  payoutsOn: (chain) => `Auszahlungen auf ${chain}`,
  payoutsOf: (wallet) => `Auszahlungen der Wallet ${wallet}`,
  operator: "einem Betreiber",
  stopCauses: {
    restore: "Wiederherstellung",
    reconciliation: "Hauptbuch und Blockchain weichen voneinander ab",
  },
  labels: {
    order: "Bestellnummer",
    deposit: "Einzahlung",
    payout: "Auszahlung",
    trackingId: "Tracking-ID",
    amount: "Betrag",
    value: "Wert",
    recipient: "Empfänger",
    beneficiary: "Empfänger (Travel Rule)",
    address: "Adresse",
    tag: "Tag",
    batch: "Sammelauszahlung",
    payouts: "Auszahlungen",
    total: "Summe",
    resumedBy: "Fortgesetzt von",
    time: "Zeitpunkt",
    change: "Änderung",
    requestedBy: "Beantragt von",
    shop: "Shop",
  },
  more: (count) => `und ${count} weitere`,
  openDashboard: "Dashboard öffnen",
  details: "Einzelheiten zeigt das Dashboard.",
  why: "Sie erhalten diese E-Mail aufgrund Ihrer Benachrichtigungseinstellungen.",
  settings: "Benachrichtigungen ändern",
};
