import { describe, expect, it } from "vitest";
import { aDeposit, someTime } from "../../../test/support/deposit-records.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { depositStatus, type StatusReason } from "../deposit-status.ts";
import type { Received } from "../payments/received.ts";
import { decideStage } from "./decide-stage.ts";

/*
 * Every status of a deposit with every reason. For Created deposits the amounts are `paid+pending/requested` in the wallet's
 * currency (`-` no amount requested, `?` not valued yet), `~` is the tolerance, and `late` means expired. The result is the stage
 * and reason, with `*` if a payment sent now would be accepted.
 */
const table = `
  created no-currency 0+0/100             choose
  created no-currency 0+0/-               choose
  created no-currency 0+0/100 late        expired
  created 0+0/100                         waiting *
  created 0+0/-                           waiting *
  created 0+0/100 late                    expired
  created 0+40/100                        partial *
  created 40+0/100                        partial *
  created 40+20/100                       partial *
  created 40+60/100                       seen
  created 0+100/100                       seen
  created 0+150/100                       seen
  created 0+98/100~2                      seen
  created 0+97/100~2                      partial *
  created 40+0/100 late                   unresolved partial
  created 0+40/100 late                   unresolved partial
  created 0+100/100 late                  seen
  created 0+?/100                         seen
  created 0+?5/100                        partial *
  created 0+7/-                           seen *
  created 7+3/-                           seen *
  created 7+0/-                           paid *
  created 7+0/- late                      paid
  paid 100+0/100                          paid
  paid 100+0/100 late                     paid
  canceled expired                        expired
  canceled cancelled                      cancelled
  canceled refunded                       cancelled
  canceled no-currency expired            expired
  canceled no-currency cancelled          cancelled
  unresolved overpaid                     unresolved overpaid
  unresolved late                         unresolved late
  unresolved second_payment               unresolved second_payment
  unresolved partial                      unresolved partial
  unresolved cancelled                    unresolved cancelled
  unresolved screening                    unresolved other
  unresolved                              unresolved other
`;

const rows = table
  .trim()
  .split("\n")
  .map((line) => line.trim().split(/\s{2,}/) as [string, string]);

const now = addSeconds(someTime, 60);
const reasons = ["expired", "cancelled", "refunded", "overpaid", "late", "second_payment"];

describe("decideStage", () => {
  it.each(rows)("%s: %s", (facts, expected) => {
    const words = facts.split(" ");
    const [status = ""] = words;
    const isLate = status === "created" && words.includes("late");
    const has = (word: string): boolean => words.slice(1).includes(word);
    const reason = [...reasons, "partial", "screening"].find(has) ?? null;
    const { received, requested, tolerance } = amounts(words.find((word) => word.includes("/")));
    const deposit = aDeposit({
      walletType: walletType.merchant,
      walletCurrency: "840" as CurrencyId,
      currency: has("no-currency") ? null : ("1002" as CurrencyId),
      status: depositStatus[status as keyof typeof depositStatus],
      statusReason: status === "created" ? null : (reason as StatusReason | null),
      targetAmountRequested: requested,
      sourceAmountRequested: requested === null ? null : requested * 10n,
      inaccuracy: tolerance,
      expiresAt: isLate ? now : addSeconds(now, 1),
    });
    const decision = decideStage(deposit, received, now, 0n);
    const result = [decision.stage, decision.reason, decision.isPayable ? "*" : null];
    expect(result.filter((word) => word !== null).join(" ")).toBe(expected);
  });

  it("accepts any amount for a deposit of an Enterprise wallet", () => {
    const nothing = {
      target: 0n,
      targetPending: 0n,
      source: 0n,
      sourcePending: 0n,
      sourceRefunded: 0n,
    };
    expect(decideStage(aDeposit(), nothing, now, 0n)).toEqual({
      stage: "waiting",
      reason: null,
      isPayable: true,
    });
  });
});

/** One unit of the wallet's currency is ten units of the payment currency. */
function amounts(word = "0+0/100") {
  const [, paid = "", unvalued, pending = "", target = "", tolerance] =
    /^(\d+)\+(\?)?(\d*)\/(\d+|-)(?:~(\d+))?$/.exec(word) ?? [];
  const requested = target === "-" ? null : BigInt(target);
  const pendingUnits = pending === "" ? (requested ?? 0n) : BigInt(pending);
  const received: Received = {
    sourceRefunded: 0n,
    target: BigInt(paid),
    targetPending: unvalued === undefined ? pendingUnits : 0n,
    source: BigInt(paid) * 10n,
    sourcePending: pendingUnits * 10n,
  };
  return { received, requested, tolerance: tolerance === undefined ? null : BigInt(tolerance) };
}
