import type { Currency } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { administratorsOnly } from "../administrators-only.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { storeGrant } from "../members/member.store.ts";
import type { Principal } from "../principal.ts";
import type { WalletsContext } from "./context.ts";
import { decideWalletCurrency } from "./decide-wallet-currency.ts";
import { readWallet, storeWallet } from "./wallet.store.ts";
import { type Wallet, type WalletType, walletStatus } from "./wallet.ts";

export type NewWallet = {
  readonly type: WalletType;
  /** Wire id. */
  readonly currency: string;
  /** Null: the currency's alpha code. */
  readonly label: string | null;
};

const currencyPointer = { pointer: "/data/relationships/currency" };

/**
 * Creates an active, empty wallet, and grants it to a creator who sees only granted wallets. Rejects `permissionDenied` unless the caller
 * is Owner or Admin, `invalidValue` for a currency that is unknown or unsuitable for this type of wallet, and `currencyDisabled`,
 * `currencyUnavailable` or `tokenNotPaidFor`.
 */
export async function createWallet(
  context: WalletsContext,
  principal: Principal,
  input: NewWallet,
): Promise<Wallet> {
  assertWalletAdministrator(principal);
  const currency = context.currencies.find(input.currency);
  if (currency === null) reject("invalidValue", "Unknown currency.", currencyPointer);
  const fault = decideWalletCurrency(input.type, currency);
  if (fault !== null) reject("invalidValue", fault, currencyPointer);
  await assertAvailable(context, principal, currency);

  const { accountId, memberId } = principal;
  const wallet = await context.db.transaction(async (tx) => {
    const id = await storeWallet(tx, {
      accountId,
      type: input.type,
      currency: currency.id,
      label: input.label ?? currency.alpha,
      // None of the supported chains requires registration or activation.
      status: walletStatus.active,
      createdAt: context.clock.now(),
    });
    if (principal.wallets !== "all")
      await storeGrant(tx, { accountId, memberId, walletId: id, mayPay: true });
    await recordAudit(tx, {
      by: principal,
      action: "wallet.created",
      object: { type: "wallet", id },
      summary: { currency: currency.alpha, label: input.label ?? currency.alpha },
      at: context.clock.now(),
    });
    return readWallet(tx, context.currencies, accountId, id);
  });
  return present(wallet, "the new wallet");
}

/** Rejects `permissionDenied` unless the caller may change the account's wallets. */
export const assertWalletAdministrator = administratorsOnly(
  "Only an Owner or Admin may change wallets.",
);

async function assertAvailable(
  context: WalletsContext,
  principal: Principal,
  currency: Currency,
): Promise<void> {
  const [availability] = await context.findAvailability(context.db, principal.accountId, [
    currency,
  ]);
  if (availability !== undefined && availability !== "available")
    reject(availability, `Wallets in ${currency.alpha} cannot be created now.`, currencyPointer);
}
