import { operatesDeployment } from "../../accounts/operator.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Executor } from "../../platform/db/database.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import { formatShortDecimal } from "../../platform/kernel/decimal.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { addPayee, removePayee, saveLimit, setAllowlistOnly } from "../controls/controls.store.ts";
import { changeThreshold } from "../travel-rule/change-threshold.ts";
import { limitBound } from "./decide-protection.ts";
import {
  readLimitRows,
  supersedeChanges,
  supersedeEverywhereChanges,
  supersedeWalletChanges,
} from "./protection-change.store.ts";
import type { NewProtectionChange } from "./protection-change.ts";

type Applied = Pick<NewProtectionChange, "accountId"> &
  Omit<NewProtectionChange, "status" | "decidedAt" | "decidedByMemberId">;

/**
 * Writes what a change says, under the account's lock, and ends the wait of other changes of its subject. A stricter limit of the account also
 * ends the wait of its wallets' limits, which were asked for while it was looser. Rejects `invalidValue`
 * when the operator's limits do not allow it, `permissionDenied` when a threshold is no longer the account's to change.
 */
export async function applyChange(
  tx: Executor,
  currencies: CurrencyRegistry,
  change: Applied,
  now: Instant,
): Promise<void> {
  const { accountId, walletId } = change;
  await supersedeChanges(tx, accountId, change.subject, now);
  switch (change.kind) {
    case "limit":
    case "limit_removal": {
      await assertWithinBound(tx, currencies, change);
      const currency = present(change.currency, "the currency of a limit");
      const span = present(change.span, "the span of a limit");
      const saved = await saveLimit(tx, { accountId, walletId, currency, span }, change.units);
      assert(saved !== null, "the limit's wallet belongs to its account");
      if (walletId === null && !change.loosens)
        await supersedeWalletChanges(tx, accountId, { currency, span }, now);
      return;
    }
    case "payee_addition":
      await addPayee(tx, payeeOf(change), change.label ?? "", now);
      return;
    case "payee_removal":
      await removePayee(tx, payeeOf(change));
      return;
    case "travel_rule_threshold":
      return applyThreshold(tx, change, now);
    case "allowlist": {
      const isEnforced = present(change.isEnforced, "the allowlist's state");
      assert(await setAllowlistOnly(tx, accountId, isEnforced), "the account exists");
    }
  }
}

/** Under the lock of all thresholds. The account may have ceased to operate the deployment. */
async function applyThreshold(tx: Executor, change: Applied, now: Instant): Promise<void> {
  if (!(await operatesDeployment(tx, change.accountId)))
    reject("permissionDenied", "This account no longer operates the deployment.");
  await supersedeEverywhereChanges(tx, change.subject, now);
  const currency = present(change.currency, "the currency of a threshold");
  await changeThreshold(tx, currency, change.units, now);
}

function payeeOf({ accountId, chain, address, tag }: Applied) {
  return {
    accountId,
    chain: present(chain, "the chain of a payee"),
    address: present(address, "the address of a payee"),
    tag,
  };
}

/** Rejects `invalidValue` for a limit that allows more than the operator's limits do. */
export async function assertWithinBound(
  tx: Executor,
  currencies: CurrencyRegistry,
  change: Pick<NewProtectionChange, "accountId" | "walletId" | "currency" | "span" | "units">,
): Promise<void> {
  const currency = present(change.currency, "the currency of a limit");
  const span = present(change.span, "the span of a limit");
  const { accountId, walletId, units } = change;
  if (units === null) return;
  const rows = await readLimitRows(tx, { accountId, walletId, currency, span });
  const bound = limitBound(span, rows, walletId !== null);
  if (bound === null) return;
  const { alpha, exp } = currencies.get(currency);
  if (bound === "no_own_sum")
    reject(
      "invalidValue",
      "The operator limits all wallets together, so a wallet can't have its own limit per hour or day.",
      { pointer: "/data/relationships/wallet" },
    );
  if (units > bound.units)
    reject(
      "invalidValue",
      `The operator's limit is ${formatShortDecimal(bound.units, exp)} ${alpha}. Only the operator can allow more.`,
      { pointer: "/data/attributes/amount" },
    );
}
