import type { EmailLanguage } from "./email-language.ts";
import type { Letter } from "./letter.ts";
import { noticeWords } from "./notice-text.ts";
import { amountWords } from "./stated-amount.ts";

/** What a payer's receipt states. */
export type Receipt = {
  /** In the store's currency, credited. */
  readonly amount: string;
  readonly code: string;
  readonly shop: string | null;
  readonly order: string | null;
  readonly description: string | null;
  /** The store's own text. */
  readonly note: string | null;
  /** Address of the payment page. */
  readonly page: string;
  /** In UTC, to the minute. */
  readonly paidAt: string;
};

type Words = {
  readonly subject: (amount: string, shop: string | null) => string;
  readonly paid: (shop: string | null) => string;
  readonly amount: string;
  readonly order: string;
  readonly description: string;
  readonly date: string;
  readonly open: string;
  readonly why: string;
};

const words: Readonly<Record<EmailLanguage, Words>> = {
  en: {
    subject: (amount, shop) =>
      shop === null ? `Your receipt: ${amount}` : `Your receipt from ${shop}: ${amount}`,
    paid: (shop) => (shop === null ? "Payment received." : `${shop} has received your payment.`),
    amount: "Amount",
    order: "Order",
    description: "Description",
    date: "Date",
    open: "View payment",
    why: "You get this email because this address was entered on the payment page. There will be no further emails.",
  },
  de: {
    subject: (amount, shop) =>
      shop === null ? `Ihr Beleg: ${amount}` : `Ihr Beleg von ${shop}: ${amount}`,
    paid: (shop) =>
      shop === null ? "Die Zahlung ist eingegangen." : `${shop} hat Ihre Zahlung erhalten.`,
    amount: "Betrag",
    order: "Bestellung",
    description: "Beschreibung",
    date: "Datum",
    open: "Zahlung ansehen",
    why: "Sie erhalten diese E-Mail, weil diese Adresse auf der Zahlungsseite eingegeben wurde. Es folgen keine weiteren E-Mails.",
  },
  es: {
    subject: (amount, shop) =>
      shop === null ? `Su recibo: ${amount}` : `Su recibo de ${shop}: ${amount}`,
    paid: (shop) => (shop === null ? "Pago recibido." : `${shop} ha recibido su pago.`),
    amount: "Importe",
    order: "Pedido",
    description: "Descripción",
    date: "Fecha",
    open: "Ver el pago",
    why: "Recibe este correo porque se introdujo esta dirección en la página de pago. No habrá más correos.",
  },
  zh: {
    subject: (amount, shop) =>
      shop === null ? `您的收据：${amount}` : `${shop} 的收据：${amount}`,
    paid: (shop) => (shop === null ? "已收到付款。" : `${shop} 已收到您的付款。`),
    amount: "金额",
    order: "订单",
    description: "说明",
    date: "日期",
    open: "查看付款",
    why: "您收到此邮件是因为付款页面上填写了此地址。不会再有其他邮件。",
  },
};

/** The receipt that a payer asked for, in the language of the payment page. */
export function receiptLetter(receipt: Receipt, language: EmailLanguage): Letter {
  const text = words[language];
  const { shop, amount, code, order, description, note, page, paidAt } = receipt;
  const { colon } = noticeWords[language];
  const worth = amountWords({ value: amount, code }, language);
  const fact = (label: string, value: string | null) =>
    value === null || value === "" ? [] : [{ text: `${label}${colon}${value}`, href: null }];
  return {
    subject: text.subject(worth, shop),
    fromName: shop,
    language,
    paragraphs: [text.paid(shop)],
    items: [
      ...fact(text.amount, worth),
      ...fact(text.order, order),
      ...fact(text.description, description),
      ...fact(text.date, paidAt),
    ],
    action: { label: text.open, href: page },
    footer: [...(note === null ? [] : [note]), text.why],
  };
}
