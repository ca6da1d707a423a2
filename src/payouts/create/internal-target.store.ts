import type { WalletStatus, WalletType } from "../../accounts/wallets/wallet.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type { Payout } from "../payout.ts";
import type { InternalTarget, TargetDeposit, TargetWallet } from "./internal-target.ts";

type DepositRow = Omit<TargetDeposit, "kind" | "currency"> & { readonly currency: string | null };

const lockDeposit = statement<DepositRow>(
  "own-target.lock-deposit",
  `select account_id as "accountId", wallet_id as "walletId", id as "depositId", payment_page_id as "paymentPageId",
     currency, chain, address, address_type as "addressType", tag
   from deposit where id = $1 for update`,
);

type WalletRow = Omit<TargetWallet, "kind" | "currency" | "walletType" | "walletStatus"> & {
  readonly type: number;
  readonly status: number;
  readonly currency: string;
};

const readWallet = statement<WalletRow>(
  "own-target.read-wallet",
  `select account_id as "accountId", id as "walletId", type, status, currency from wallet
   where account_id = $1 and id = $2`,
);

/**
 * The target of an internal payout; null for an external one. Locks a target deposit, which must be locked before its
 * payouts and balances.
 */
export async function lockInternalTarget(
  tx: Executor,
  payout: Payout,
): Promise<InternalTarget | null> {
  if (!payout.isInternal) return null;
  if (payout.targetDepositId !== null) {
    const [row] = await tx.query(lockDeposit, [payout.targetDepositId]);
    if (row === undefined) return null;
    return { ...row, kind: "deposit", currency: row.currency as CurrencyId | null };
  }
  const [row] = await tx.query(readWallet, [payout.accountId, payout.targetWalletId]);
  if (row === undefined) return null;
  const { type, status, currency, ...wallet } = row;
  return {
    ...wallet,
    kind: "wallet",
    walletType: type as WalletType,
    walletStatus: status as WalletStatus,
    currency: currency as CurrencyId,
  };
}
