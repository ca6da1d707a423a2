import type { WalletStatus, WalletType } from "../../accounts/wallets/wallet.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** A deposit of this service, of whichever account: what an off-chain payment to it needs. */
export type TargetDeposit = {
  readonly kind: "deposit";
  readonly accountId: string;
  readonly walletId: string;
  readonly depositId: string;
  /** What a payout names as `target_deposit`. */
  readonly paymentPageId: string;
  /** Payment currency; null until the payer selects one. */
  readonly currency: CurrencyId | null;
  readonly chain: string | null;
  /** Null while it has none. */
  readonly address: string | null;
  readonly addressType: string;
  readonly tag: string | null;
};

/** Another wallet of the paying account. */
export type TargetWallet = {
  readonly kind: "wallet";
  readonly accountId: string;
  readonly walletId: string;
  readonly walletType: WalletType;
  readonly walletStatus: WalletStatus;
  readonly currency: CurrencyId;
};

/** Where an off-chain payment goes. */
export type InternalTarget = TargetDeposit | TargetWallet;

/**
 * What an address or id means here. `reserved`: an address of ours that no deposit has (still in the pool, or of the
 * operator's own accounts): nobody may pay to it by a payout, since nobody would be credited.
 */
export type InternalDestination = InternalTarget | { readonly kind: "reserved" };
