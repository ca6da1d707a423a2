import type { Currency } from "../../currencies/currency.ts";
import type { FindAvailability } from "../../currencies/find-availability.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { Database, Executor } from "../../platform/db/database.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import type { ListQuery, Page } from "../../platform/kernel/list-query.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { administratorsOnly } from "../administrators-only.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { storeGrant } from "../members/member.store.ts";
import { mayView, type Principal, visibleWallets } from "../principal.ts";
import {
  isWalletOf,
  listWalletRows,
  readWallet,
  readWallets,
  storeActivation,
  storeLabel,
  storeWallet,
} from "./wallet.store.ts";
import { type Wallet, type WalletType, walletStatus, walletType } from "./wallet.ts";

/** What the functions of this folder work with. */
export type WalletsContext = {
  readonly db: Database;
  readonly clock: Clock;
  readonly currencies: CurrencyRegistry;
  readonly findAvailability: FindAvailability;
};

/** One page of the wallets that the caller may view. */
export function listWallets(
  context: Pick<WalletsContext, "db" | "currencies">,
  principal: Principal,
  query: ListQuery,
): Promise<Page<Wallet>> {
  const { db, currencies } = context;
  return listWalletRows(db, principal.accountId, visibleWallets(principal), query, currencies);
}

type Reading = Pick<WalletsContext, "db" | "currencies">;

/**
 * A wallet of the caller's account; null for an unknown wallet or another account's. Rejects `noPermissionToView` when the caller was not
 * granted the wallet.
 */
export async function findWallet(
  context: Reading,
  principal: Principal,
  id: string,
): Promise<Wallet | null> {
  const wallet = await readWallet(context.db, context.currencies, principal.accountId, id);
  if (wallet !== null && !mayView(principal, id))
    reject("noPermissionToView", "You don't have access to this wallet.");
  return wallet;
}

/** Whether this is a wallet of the caller's account that the caller may view. */
export async function isVisibleWallet(
  db: Executor,
  principal: Principal,
  id: string,
): Promise<boolean> {
  return mayView(principal, id) && (await isWalletOf(db, principal, id));
}

/** The wallets among `ids` that the caller may view, in any order. */
export function findWallets(
  context: Reading,
  principal: Principal,
  ids: readonly string[],
): Promise<readonly Wallet[]> {
  const visible = ids.filter((id) => mayView(principal, id));
  return readWallets(context.db, context.currencies, principal.accountId, visible);
}

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

/**
 * Why a wallet of this type cannot be denominated in a currency; null when it can. A Merchant wallet is denominated in fiat, a stablecoin
 * or a coin; the others hold the currency itself, and fiat cannot be sent on a chain.
 */
function decideWalletCurrency(type: WalletType, currency: Currency): string | null {
  switch (type) {
    case walletType.merchant:
      return currency.kind === "token" && !currency.isStablecoin
        ? "A Merchant wallet needs a fiat currency, a stablecoin or a coin."
        : null;
    case walletType.enterprise:
    case walletType.custody:
    case walletType.swap:
      return currency.kind === "fiat" ? "This type of wallet needs a coin or a token." : null;
    case walletType.nft:
      return null;
  }
}

/**
 * Changes a wallet's label. `label` null resets it to the currency's alpha code; undefined keeps it. Null when the account has no such
 * wallet. Rejects `permissionDenied` unless the caller is Owner or Admin, and `noPermissionToView`.
 */
export async function relabelWallet(
  context: Pick<WalletsContext, "db" | "currencies">,
  principal: Principal,
  id: string,
  label: string | null | undefined,
): Promise<Wallet | null> {
  assertWalletAdministrator(principal);
  const wallet = await findWallet(context, principal, id);
  if (wallet === null || label === undefined) return wallet;
  await storeLabel(context.db, principal.accountId, id, label ?? wallet.currency.alpha);
  return findWallet(context, principal, id);
}

/**
 * Activates a wallet; an active one stays active. Null when the account has no such wallet. Rejects `permissionDenied` unless the caller
 * is Owner or Admin, `noPermissionToView`, and `walletNotActivated` on a chain that requires an activation transfer.
 */
export async function activateWallet(
  context: Pick<WalletsContext, "db" | "currencies">,
  principal: Principal,
  id: string,
): Promise<Wallet | null> {
  assertWalletAdministrator(principal);
  if ((await findWallet(context, principal, id)) === null) return null;
  if (!(await storeActivation(context.db, principal.accountId, id)))
    reject("walletNotActivated", "The wallet's activation transfer has not arrived.");
  return findWallet(context, principal, id);
}
