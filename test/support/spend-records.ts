import type { Draft } from "../../src/chains/paying-port.ts";
import type { Instant } from "../../src/platform/kernel/clock.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import type { Attempt, NewSpend, Spend } from "../../src/treasury/spends/spend.ts";
import { newAttempt } from "../../src/treasury/spends/spend-transitions.ts";

const coin = "1000" as CurrencyId;

export function draftOf(claims: readonly string[], feeUnits = 10n): Draft {
  return { body: { claims }, claims, feeUnits, validity: null };
}

/** The input of `openSpend`; every member can be overridden. */
export function newSpend(spend: Partial<NewSpend> = {}): NewSpend {
  return {
    chain: "BTC",
    kind: "payout",
    sender: null,
    purpose: {},
    request: null,
    feeCurrency: coin,
    confirmations: 2,
    leaves: null,
    draft: draftOf(["a:0"]),
    ...spend,
  };
}

/** A transaction of a spend, signed from that state on. */
export function attemptOf(state: Attempt["state"], attempt: Partial<Attempt> = {}): Attempt {
  const number = attempt.number ?? 1;
  const isSigned =
    state === "signed" || state === "broadcast" || state === "mined" || state === "dead";
  return {
    ...newAttempt(number, draftOf(["a:0"], BigInt(number) * 10n), 0 as Instant),
    state,
    txid: isSigned ? `t${number}` : null,
    raw: isSigned ? new Uint8Array([1]) : null,
    ...attempt,
  };
}

/** A spend with attempts in these states. */
export function spendOf(states: readonly Attempt["state"][], spend: Partial<Spend> = {}): Spend {
  return {
    id: "7",
    chain: "BTC",
    kind: "payout",
    state: "open",
    sender: null,
    purpose: {},
    request: null,
    feeCurrency: coin,
    confirmations: 2,
    leaves: null,
    inclusion: null,
    dueHeight: null,
    expiredBy: null,
    createdAt: 0 as Instant,
    updatedAt: 0 as Instant,
    attempts: states.map((state, at) => attemptOf(state, { number: at + 1 })),
    ...spend,
  };
}
