import { type EmailLanguage, emailLanguages } from "../../notifications/email-language.ts";

/* What payment pages say to browsers without JavaScript. */

export type PlainWords = {
  /** How to pay; `tag`: without it the payment is lost. */
  readonly pay: (amount: string, chain: string, address: string, tag: string | null) => string;
  /** What is sold, and its price if it has one. */
  readonly enable: (sold: string) => string;
};

const words: Readonly<Record<EmailLanguage, PlainWords>> = {
  en: {
    pay: (amount, chain, address, tag) =>
      `Send ${amount} on ${chain} to ${address}${tag === null ? "" : ` with the tag ${tag}. Without the tag, the payment will be lost`}. Reload this page to see the status of your payment.`,
    enable: (sold) => `${sold}. Enable JavaScript to pay.`,
  },
  de: {
    pay: (amount, chain, address, tag) =>
      `Senden Sie ${amount} über ${chain} an ${address}${tag === null ? "" : ` mit dem Tag ${tag}. Ohne den Tag geht die Zahlung verloren`}. Laden Sie diese Seite neu, um den Status Ihrer Zahlung zu sehen.`,
    enable: (sold) => `${sold}. Aktivieren Sie JavaScript, um zu bezahlen.`,
  },
  es: {
    pay: (amount, chain, address, tag) =>
      `Envíe ${amount} por ${chain} a ${address}${tag === null ? "" : ` con la etiqueta ${tag}. Sin la etiqueta, el pago se perderá`}. Vuelva a cargar esta página para ver el estado de su pago.`,
    enable: (sold) => `${sold}. Active JavaScript para pagar.`,
  },
  zh: {
    pay: (amount, chain, address, tag) =>
      `请通过 ${chain} 向 ${address} 发送 ${amount}${tag === null ? "" : `，并填写标签 ${tag}。缺少标签，付款将会丢失`}。重新加载本页面即可查看付款状态。`,
    enable: (sold) => `${sold}。请启用 JavaScript 以付款。`,
  },
};

/**
 * The words in the first language of the request's `Accept-Language` that the page has, else in English. Browsers name the
 * preferred language first, so the weights are not compared.
 */
export function plainWordsOf(acceptLanguage: string | null): PlainWords {
  const wanted = (acceptLanguage ?? "").split(",").map((range) => range.trim().slice(0, 2));
  const language = wanted
    .map((code) => emailLanguages.find((known) => known === code.toLowerCase()))
    .find((known) => known !== undefined);
  return words[language ?? "en"];
}
