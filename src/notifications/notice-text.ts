import { addressMax, boundedText, nameMax } from "./bounded-text.ts";
import { changeText, shortAddress } from "./change-text.ts";
import { chineseNotices } from "./chinese-notices.ts";
import type { EmailLanguage } from "./email-language.ts";
import { englishNotices } from "./english-notices.ts";
import { germanNotices } from "./german-notices.ts";
import type { NoticeContent } from "./notice.ts";
import type { NoticeEvent, NoticeKind, StatedAmount, StatedDeposit } from "./notice-event.ts";
import type { NoticeWords } from "./notice-words.ts";
import { spanishNotices } from "./spanish-notices.ts";
import { amountWords } from "./stated-amount.ts";
import { utcTime } from "./utc-time.ts";

export const noticeWords: Readonly<Record<EmailLanguage, NoticeWords>> = {
  en: englishNotices,
  de: germanNotices,
  es: spanishNotices,
  zh: chineseNotices,
};

const reasonMax = 100;

type EventOf<Kind extends NoticeKind> = Extract<NoticeEvent, { readonly kind: Kind }>;
type PayoutEvent = EventOf<"payout_held" | "payout_failed" | "payout_approval">;

/**
 * What happened, in one line without its title: `20.00 USD for order 4711`. A browser is shown no address. Everything that others wrote is
 * shortened and on one line.
 */
export function noticeLine(
  event: NoticeEvent,
  language: EmailLanguage,
  { hasAddress }: { readonly hasAddress: boolean },
): string {
  const words = noticeWords[language];
  switch (event.kind) {
    case "payment_received":
    case "payment_screened":
      return words.paidFor(worthText(event, language), subjectOf(event.deposit, words));
    case "payment_held":
      return heldLine(event, language);
    case "payout_held":
    case "payout_failed":
    case "payout_approval":
      return payoutLine(event, language, hasAddress);
    case "batch_approval":
      return batchLine(event, language);
    case "change_approval":
      return words.requestedBy(
        changeText(event.change, language, hasAddress ? "ends" : "none"),
        boundedText(event.by, nameMax),
      );
    case "webhook_failing":
      return failingLine(event, words);
    case "payouts_stopped":
      return stopLine(event, words);
    case "payouts_resumed":
      return scopeText(event, words);
    case "node_down":
    case "node_answers":
      return boundedText(event.chain, nameMax);
  }
}

/** One line for each notice of a message about several; with its title where they are of several kinds. */
export function listedLines(
  notices: readonly NoticeContent[],
  language: EmailLanguage,
  channel: { readonly hasAddress: boolean },
): readonly string[] {
  const { titles, colon } = noticeWords[language];
  const kinds = new Set(notices.map(({ event }) => event?.kind));
  return notices.map(({ event, line }) => {
    if (event === undefined) return line;
    const told = noticeLine(event, language, channel);
    return kinds.size === 1 ? told : `${titles[event.kind]}${colon}${told}`;
  });
}

/** What the reader should know or do besides, in sentences; null if there is nothing. */
export function noticeNote(event: NoticeEvent, language: EmailLanguage): string | null {
  const note = noticeWords[language].notes[event.kind];
  return event.kind === "node_answers"
    ? (note?.replace("{minutes}", String(event.minutes)) ?? null)
    : note;
}

/**
 * The details of an event that a message tells alone, one a line: `Order number: 4711`. `beneficiary` is the name in the travel-rule data
 * of a payout that needs approval; null without one.
 */
export function noticeDetails(
  event: NoticeEvent,
  language: EmailLanguage,
  beneficiary: string | null,
): readonly string[] {
  const words = noticeWords[language];
  const { labels, colon } = words;
  const detail = (label: keyof typeof labels, value: string | null, max = nameMax) => {
    const text = value === null ? "" : boundedText(value, max);
    return text === "" ? [] : [`${labels[label]}${colon}${text}`];
  };
  const amount = (stated: StatedAmount | null) =>
    stated === null ? null : amountWords(stated, language);
  switch (event.kind) {
    case "payment_received":
    case "payment_screened":
    case "payment_held":
      return [
        ...detail("order", event.deposit.order),
        ...detail("deposit", nameOf(event.deposit, words), 2 * nameMax),
        ...detail("amount", amount(event.amount)),
        ...(event.kind === "payment_held" ? [] : detail("value", amount(event.worth))),
      ];
    case "payout_held":
    case "payout_failed":
    case "payout_approval":
      return [
        ...detail("payout", nameOf(event, words), 2 * nameMax),
        ...detail("trackingId", event.trackingId),
        ...detail("amount", amount(event.amount)),
        ...detail("value", amount(event.worth)),
        ...detail("recipient", event.recipient),
        ...detail("beneficiary", beneficiary, 2 * nameMax),
        ...detail("address", event.address, addressMax),
        ...detail("tag", event.tag),
        ...detail("requestedBy", event.by ?? null),
      ];
    case "batch_approval":
      return [
        ...detail("batch", nameOf({ id: event.id, label: event.reference }, words), 2 * nameMax),
        ...detail("payouts", String(event.payouts)),
        ...detail("total", amount(event.amount)),
        ...detail("value", amount(event.worth)),
        ...detail("requestedBy", event.by),
      ];
    case "payouts_resumed": {
      const isByOperator = event.wallet === null && event.cause === "kill_switch";
      return [
        ...detail("resumedBy", event.by ?? (isByOperator ? words.operator : null)),
        ...detail("time", utcTime(event.at)),
      ];
    }
    case "change_approval":
      return [
        ...detail("change", changeText(event.change, language, "whole"), 500),
        ...detail("requestedBy", event.by),
      ];
    case "webhook_failing":
    case "payouts_stopped":
    case "node_down":
    case "node_answers":
      return [];
  }
}

function worthText(
  { amount, worth }: { readonly amount: StatedAmount; readonly worth: StatedAmount | null },
  language: EmailLanguage,
): string {
  const text = amountWords(amount, language);
  return worth === null ? text : noticeWords[language].worth(text, amountWords(worth, language));
}

/** The order that was paid; a deposit without one goes by its id and label. */
function subjectOf(deposit: StatedDeposit, words: NoticeWords): string {
  const order = boundedText(deposit.order ?? "", nameMax);
  return order === "" ? words.deposit(nameOf(deposit, words)) : words.order(order);
}

function nameOf(
  { id, label }: { readonly id: string; readonly label: string | null },
  { remark }: NoticeWords,
): string {
  const named = boundedText(label ?? "", nameMax);
  return named === "" ? id : remark(id, named);
}

function heldLine(
  { deposit, amount, cause, difference }: EventOf<"payment_held">,
  language: EmailLanguage,
): string {
  const words = noticeWords[language];
  const paid = words.paidFor(amountWords(amount, language), subjectOf(deposit, words));
  if (cause === null) return paid;
  const by = difference === null ? null : amountWords(difference, language);
  return `${paid}${words.comma}${words.holdCauses[cause](by)}`;
}

function payoutLine(event: PayoutEvent, language: EmailLanguage, hasAddress: boolean): string {
  const words = noticeWords[language];
  const { id, label, recipient, address } = event;
  const amount = worthText(event, language);
  const name = boundedText(recipient ?? "", nameMax);
  const place =
    address !== null && hasAddress ? shortAddress(boundedText(address, addressMax)) : "";
  const to = name === "" ? place : name;
  if (to === "") return `${amount}${words.comma}${words.payout(nameOf(event, words))}`;
  const labeled = boundedText(label ?? "", nameMax);
  return words.remark(words.paidTo(amount, to), labeled === "" ? words.payout(id) : labeled);
}

/** The receiver, and why the last delivery failed: never what it answered, which anyone may have written. */
function failingLine(
  { host, answer }: EventOf<"webhook_failing">,
  { remark, deliveryErrors }: NoticeWords,
): string {
  const receiver = boundedText(host, nameMax);
  if (answer === undefined) return receiver;
  const { statusCode, error } = answer;
  if (statusCode !== null) return remark(receiver, `HTTP ${statusCode}`);
  const known: Readonly<Record<string, string>> = deliveryErrors;
  const reason = error === null ? undefined : known[error];
  return reason === undefined ? receiver : remark(receiver, reason);
}

function batchLine(event: EventOf<"batch_approval">, language: EmailLanguage): string {
  const words = noticeWords[language];
  const sum = `${words.payouts(event.payouts)}${words.comma}${worthText(event, language)}`;
  const reference = boundedText(event.reference, nameMax);
  return reference === "" ? sum : words.remark(sum, reference);
}

/** Which payouts are stopped or resumed. */
function scopeText(
  { chain, wallet }: Pick<EventOf<"payouts_stopped">, "chain" | "wallet">,
  words: NoticeWords,
): string {
  if (wallet !== null) return words.payoutsOf(nameOf(wallet, words));
  return chain === null ? words.allPayouts : words.payoutsOn(chain);
}

function stopLine(event: EventOf<"payouts_stopped">, words: NoticeWords): string {
  const { cause, reason } = event;
  const scope = scopeText(event, words);
  const isByPerson = cause === null || cause === "kill_switch";
  const stopped = isByPerson ? scope : `${scope}${words.comma}${words.stopCauses[cause]}`;
  const why = boundedText(reason ?? "", reasonMax);
  return why === "" ? stopped : words.remark(stopped, why);
}
