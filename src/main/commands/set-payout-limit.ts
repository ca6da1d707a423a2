import { recordAudit } from "../../accounts/audit/record-audit.ts";
import { lockOwnAccount } from "../../accounts/lock-own-account.ts";
import { type LimitScope, saveLimit } from "../../payouts/controls/controls.store.ts";
import { supersedeChanges } from "../../payouts/protection/protection-change.store.ts";
import { limitSubject } from "../../payouts/protection/protection-change.ts";
import { formatShortDecimal, parseDecimal } from "../../platform/kernel/decimal.ts";
import { isObjectId } from "../../platform/kernel/object-id.ts";
import type { CommandContext } from "./command-context.ts";
import { findCurrency } from "./set-currency-state.ts";
import { withDeployment } from "./with-deployment.ts";
import { withKnownAccount } from "./with-known-account.ts";

/**
 * `sluice limit SPAN ALPHA AMOUNT`: sets the amount above which payouts need approval, per payout or for the total of
 * the last hour or day. Applies to one account or all, and one wallet or all; per span, the most specific limit
 * counts. A null amount removes the limit.
 */
export async function setPayoutLimit(
  configFile: string,
  options: {
    readonly span: LimitScope["span"];
    /** Alpha code. */
    readonly currency: string;
    /** Decimal amount in the currency; null removes the limit. */
    readonly amount: string | null;
    readonly accountId: string | null;
    readonly walletId: string | null;
  },
  context: CommandContext,
): Promise<void> {
  const { span, accountId, walletId } = options;
  for (const id of [accountId, walletId]) {
    if (id !== null && !isObjectId(id)) throw new Error(`${id} is not a valid id`);
  }
  await withDeployment(configFile, context, async ({ db, clock, currencies }) => {
    const { id, alpha, exp } = findCurrency(currencies, options.currency);
    const units = options.amount === null ? null : unitsOf(options.amount, exp);
    const isSaved = await withKnownAccount(accountId, () =>
      db.transaction(async (tx) => {
        if (accountId !== null) {
          await lockOwnAccount(tx, accountId);
          await supersedeChanges(tx, accountId, limitSubject(walletId, id, span), clock.now());
        }
        const saved = await saveLimit(tx, { accountId, walletId, currency: id, span }, units);
        if (saved === null) return false;
        if (saved.accountId !== null)
          await recordAudit(tx, {
            by: { accountId: saved.accountId },
            at: clock.now(),
            action: units === null ? "payout_limit.lifted" : "payout_limit.set",
            object: walletId === null ? null : { type: "wallet", id: walletId },
            summary: { span, currency: alpha, amount: options.amount },
          });
        return true;
      }),
    );
    if (!isSaved) throw new Error(`there is no wallet ${String(walletId)}`);
    const per = span === "transaction" ? "" : ` per ${span}`;
    context.print(
      units === null
        ? `${alpha} payouts no longer have a limit per ${span}.`
        : `${alpha} payouts above ${formatShortDecimal(units, exp)}${per} now require approval.`,
    );
  });
}

function unitsOf(text: string, exp: number): bigint {
  const parsed = parseDecimal(text, exp);
  if (parsed.kind !== "units" || parsed.units < 0n)
    throw new Error(
      `Invalid amount "${text}". Use a number with at most ${exp} decimals, such as 0.25.`,
    );
  return parsed.units;
}
