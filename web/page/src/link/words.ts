import type { LinkPageState } from "../../../../src/deposits/links/link-page-state.ts";
import type { LanguageCode } from "../languages/language-codes.ts";

/** The texts of the page of payment links, beside those it shares with the payment page. */
export type LinkWords = {
  readonly amount: string;
  readonly anyAmount: string;
  readonly between: (min: string, max: string) => string;
  readonly atLeast: (min: string) => string;
  readonly atMost: (max: string) => string;
  readonly left: (count: number) => string;
  readonly submit: string;
  readonly working: string;
  readonly closed: Readonly<Record<Exclude<LinkPageState["state"], "active">, string>>;
  readonly closedLead: string;
  readonly badAmount: string;
  readonly failed: string;
  readonly notFound: string;
};

export const linkWords: Readonly<Record<LanguageCode, LinkWords>> = {
  en: {
    amount: "Amount",
    anyAmount: "You decide how much to pay.",
    between: (min, max) => `From ${min} to ${max}`,
    atLeast: (min) => `At least ${min}`,
    atMost: (max) => `At most ${max}`,
    left: (count) => `${count} left`,
    submit: "Continue to payment",
    working: "One moment…",
    closed: { inactive: "Not available", ended: "This offer has ended", sold_out: "Sold out" },
    closedLead: "No payment is accepted here at the moment.",
    badAmount: "Enter a valid amount.",
    failed: "The payment could not be started. Try again.",
    notFound: "This payment link does not exist",
  },
  de: {
    amount: "Betrag",
    anyAmount: "Sie entscheiden, wie viel Sie zahlen.",
    between: (min, max) => `Von ${min} bis ${max}`,
    atLeast: (min) => `Mindestens ${min}`,
    atMost: (max) => `Höchstens ${max}`,
    left: (count) => `Noch ${count} verfügbar`,
    submit: "Weiter zur Zahlung",
    working: "Einen Moment…",
    closed: {
      inactive: "Nicht verfügbar",
      ended: "Dieses Angebot ist beendet",
      sold_out: "Ausverkauft",
    },
    closedLead: "Zurzeit werden hier keine Zahlungen angenommen.",
    badAmount: "Geben Sie einen gültigen Betrag ein.",
    failed: "Die Zahlung konnte nicht gestartet werden. Bitte versuchen Sie es erneut.",
    notFound: "Diesen Zahlungslink gibt es nicht",
  },
  es: {
    amount: "Importe",
    anyAmount: "Usted decide cuánto paga.",
    between: (min, max) => `De ${min} a ${max}`,
    atLeast: (min) => `Como mínimo ${min}`,
    atMost: (max) => `Como máximo ${max}`,
    left: (count) => (count === 1 ? "Queda 1" : `Quedan ${count}`),
    submit: "Continuar al pago",
    working: "Un momento…",
    closed: { inactive: "No disponible", ended: "Esta oferta ha terminado", sold_out: "Agotado" },
    closedLead: "En este momento no se aceptan pagos aquí.",
    badAmount: "Introduzca un importe válido.",
    failed: "No se ha podido iniciar el pago. Inténtelo de nuevo.",
    notFound: "Este enlace de pago no existe",
  },
  zh: {
    amount: "金额",
    anyAmount: "付款金额由您决定。",
    between: (min, max) => `${min} 至 ${max}`,
    atLeast: (min) => `至少 ${min}`,
    atMost: (max) => `最多 ${max}`,
    left: (count) => `剩余 ${count} 件`,
    submit: "继续付款",
    working: "请稍候…",
    closed: { inactive: "暂不可用", ended: "此活动已结束", sold_out: "已售罄" },
    closedLead: "目前此处不接受付款。",
    badAmount: "请输入有效金额。",
    failed: "无法发起付款。请重试。",
    notFound: "此付款链接不存在",
  },
};
