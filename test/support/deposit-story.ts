import { expect } from "vitest";
import { walletType } from "../../src/accounts/wallets/wallet.ts";
import type {
  Payment,
  StatusDecision,
  StatusFacts,
} from "../../src/deposits/payments/status-replay.ts";
import type { Instant } from "../../src/platform/kernel/clock.ts";

/*
 * Stories of deposits, a line each: `requested±inaccuracy by expiry | events | outcome`.
 * `1:60@10` is payment 1 of 60 units, first seen and Confirmed at 10; `1:60@10..70` is Confirmed at 70, `1:60@10..` is not yet
 * Confirmed.
 * `100-5+10` has the account's tolerances of 5 below and 10 above. In `1:60<4@10` nobody can send less than 4 units.
 * `1:60~4@10` is paid in a currency whose smallest unit is worth up to 4 units more than the next lower amount.
 * `1:60@10!45` was refunded, and that refund was undone at 45.
 * `ended@61` is when the follower had read the chain beyond the expiry.
 */

const statusNames: Readonly<Record<number, string>> = {
  2: "Created",
  3: "Paid",
  4: "Canceled",
  5: "Unresolved",
};

const at = (text: string): Instant => Number(text) as Instant;

/** A payment of a story; null for other words. */
export function readPayment(text: string): Payment | null {
  const match = /^(\d+):(\d+)(?:~(\d+))?(?:<(\d+))?@(\d+)(\.\.(\d*))?(?:!(\d+))?$/.exec(text);
  if (match === null) return null;
  const [
    ,
    id = "",
    units = "",
    coarseness = "0",
    least = "0",
    seen = "",
    later,
    confirmed = "",
    undone,
  ] = match;
  const isPending = later !== undefined && confirmed === "";
  return {
    id,
    targetUnits: BigInt(units),
    coarseness: BigInt(coarseness),
    least: BigInt(least),
    firstSeenAt: at(seen),
    isConfirmed: !isPending,
    confirmedAt: isPending ? null : at(confirmed === "" ? seen : confirmed),
    refundUndoneAt: undone === undefined ? null : at(undone),
  };
}

/** The deposit, its payments, and the columns after them. */
export function readStory(line: string): {
  readonly facts: StatusFacts;
  readonly payments: readonly Payment[];
  readonly outcome: string;
} {
  const [terms = "", events = "", outcome = ""] = line.split("|").map((part) => part.trim());
  const [, requested, inaccuracy, below, above, expiry] =
    /^(\d+|-)(?:±(\d+))?(?:-(\d+)\+(\d+))?(?: by (\d+))?$/.exec(terms) ?? [];
  const words = events === "" ? [] : events.split(/\s+/);
  const moment = (name: string): Instant | null => {
    const word = words.find((candidate) => candidate.startsWith(`${name}@`));
    return word === undefined ? null : at(word.slice(name.length + 1));
  };
  const payments = words.map(readPayment).filter((payment) => payment !== null);
  const moments = ["cancel", "accept", "ended"].filter((name) => moment(name) !== null);
  expect(payments.length + moments.length, `unread words in "${line}"`).toBe(words.length);
  const facts: StatusFacts = {
    walletType: walletType.merchant,
    targetAmountRequested: requested === "-" ? null : BigInt(requested ?? ""),
    inaccuracy: inaccuracy === undefined ? null : BigInt(inaccuracy),
    toleranceBelow: below === undefined ? null : BigInt(below),
    toleranceAbove: above === undefined ? null : BigInt(above),
    expiresAt: expiry === undefined ? null : at(expiry),
    cancelledAt: moment("cancel"),
    acceptedAt: moment("accept"),
    expiryConcludedAt: moment("ended"),
  };
  return { facts, payments, outcome };
}

/** The outcome of a decision, as a story ends with it. */
export function summarize({ status, reason, holds, creditable }: StatusDecision): string {
  const list = (word: string, ids: Iterable<string>): string => {
    const sorted = [...ids].sort();
    return sorted.length === 0 ? "" : `, ${word} ${sorted.join(" ")}`;
  };
  return `${statusNames[status] ?? ""}${reason === null ? "" : ` ${reason}`}${list("holds", holds.keys())}${list("credits", creditable)}`;
}
