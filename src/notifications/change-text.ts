import { addressMax, boundedText, nameMax } from "./bounded-text.ts";
import type { EmailLanguage } from "./email-language.ts";
import type { StatedChange } from "./notice-event.ts";
import { decimalWords } from "./stated-amount.ts";

type Words = {
  readonly spans: Readonly<Record<NonNullable<StatedChange["span"]>, string>>;
  readonly ofWallet: (limit: string, wallet: string) => string;
  readonly noLimit: string;
  readonly threshold: string;
  readonly alwaysRequired: string;
  readonly address: (address: string) => string;
  readonly tagged: (address: string, tag: string) => string;
  readonly onChain: (address: string, chain: string, label: string | null) => string;
  readonly notAllowed: string;
  readonly allowed: string;
  readonly allowlist: string;
  readonly on: string;
  readonly off: string;
  readonly colon: string;
};

/** In languages that are written with spaces. */
const onChain: Words["onChain"] = (address, chain, label) =>
  `${address} (${[label, chain].filter((part) => part !== null).join(", ")})`;

const words: Readonly<Record<EmailLanguage, Words>> = {
  en: {
    spans: {
      transaction: "Limit per payout",
      hour: "Limit per hour",
      day: "Limit per day",
    },
    ofWallet: (limit, wallet) => `${limit} of wallet ${wallet}`,
    noLimit: "no limit",
    threshold: "Travel rule threshold",
    alwaysRequired: "always required",
    address: (address) => `Address ${address}`,
    tagged: (address, tag) => `${address} with tag ${tag}`,
    onChain,
    notAllowed: "not allowed",
    allowed: "allowed",
    allowlist: "Allowlist",
    on: "on",
    off: "off",
    colon: ": ",
  },
  de: {
    spans: {
      transaction: "Limit pro Auszahlung",
      hour: "Limit pro Stunde",
      day: "Limit pro Tag",
    },
    ofWallet: (limit, wallet) => `${limit} der Wallet ${wallet}`,
    noLimit: "kein Limit",
    threshold: "Schwellenwert der Travel Rule",
    alwaysRequired: "immer erforderlich",
    address: (address) => `Adresse ${address}`,
    tagged: (address, tag) => `${address} mit Tag ${tag}`,
    onChain,
    notAllowed: "nicht erlaubt",
    allowed: "erlaubt",
    allowlist: "Positivliste",
    on: "eingeschaltet",
    off: "ausgeschaltet",
    colon: ": ",
  },
  es: {
    spans: {
      transaction: "Límite por desembolso",
      hour: "Límite por hora",
      day: "Límite por día",
    },
    ofWallet: (limit, wallet) => `${limit} del monedero ${wallet}`,
    noLimit: "sin límite",
    threshold: "Umbral de la Travel Rule",
    alwaysRequired: "siempre requeridos",
    address: (address) => `Dirección ${address}`,
    tagged: (address, tag) => `${address} con etiqueta ${tag}`,
    onChain,
    notAllowed: "no permitida",
    allowed: "permitida",
    allowlist: "Lista de permitidas",
    on: "activada",
    off: "desactivada",
    colon: ": ",
  },
  zh: {
    spans: { transaction: "每笔出款限额", hour: "每小时限额", day: "每日限额" },
    ofWallet: (limit, wallet) => `钱包 ${wallet} 的${limit}`,
    noLimit: "无上限",
    threshold: "旅行规则门槛",
    alwaysRequired: "始终需要",
    address: (address) => `地址 ${address}`,
    tagged: (address, tag) => `${address}，标签 ${tag}`,
    onChain: (address, chain, label) =>
      `${address}（${[label, chain].filter((part) => part !== null).join("，")}）`,
    notAllowed: "不允许",
    allowed: "允许",
    allowlist: "白名单",
    on: "开启",
    off: "关闭",
    colon: "：",
  },
};

/** How much of an address a text shows. `ends`: for subjects, never for what people decide by. `none`: for browsers. */
export type ShownAddress = "whole" | "ends" | "none";

/** What a change changes, before and after: `Limit per day: 10,000 USDT → 50,000 USDT`. */
export function changeText(
  change: StatedChange,
  language: EmailLanguage,
  shown: ShownAddress,
): string {
  const text = words[language];
  const [subject, before, after] = statesOf(change, language, shown);
  return `${subject}${text.colon}${before} → ${after}`;
}

function statesOf(
  change: StatedChange,
  language: EmailLanguage,
  shown: ShownAddress,
): readonly [subject: string, before: string, after: string] {
  const text = words[language];
  const { kind, code, span, walletId, former, amount } = change;
  const state = (value: string | null, none: string): string =>
    value === null ? none : `${decimalWords(value, language)} ${code ?? ""}`.trim();
  switch (kind) {
    case "limit":
    case "limit_removal": {
      const limit = text.spans[span ?? "transaction"];
      const scope = walletId === null ? limit : text.ofWallet(limit, walletId);
      return [ofCode(scope, change), state(former, text.noLimit), state(amount, text.noLimit)];
    }
    case "travel_rule_threshold": {
      const none = text.alwaysRequired;
      return [ofCode(text.threshold, change), state(former, none), state(amount, none)];
    }
    case "payee_addition":
      return [destination(change, text, shown), text.notAllowed, text.allowed];
    case "payee_removal":
      return [destination(change, text, shown), text.allowed, text.notAllowed];
    case "allowlist":
      return change.isEnforced === true
        ? [text.allowlist, text.off, text.on]
        : [text.allowlist, text.on, text.off];
  }
}

/** The currency where no amount names it. */
function ofCode(subject: string, { code, former, amount }: StatedChange): string {
  return former === null && amount === null && code !== null ? `${subject} (${code})` : subject;
}

function destination(
  { chain, address, tag, label }: StatedChange,
  text: Words,
  shown: ShownAddress,
): string {
  const name = label === null ? "" : boundedText(label, nameMax);
  if (shown === "none") return text.address(text.onChain(name, chain ?? "", null).trim());
  const whole = boundedText(address ?? "", addressMax);
  const stated = shown === "ends" ? shortAddress(whole) : whole;
  const tagged = tag === null ? stated : text.tagged(stated, boundedText(tag, nameMax));
  return text.address(text.onChain(tagged, chain ?? "", name === "" ? null : name));
}

/** The ends of an address: `0x52908400…2DC0F0e5`. */
export function shortAddress(address: string): string {
  return address.length <= 20 ? address : `${address.slice(0, 8)}…${address.slice(-8)}`;
}
