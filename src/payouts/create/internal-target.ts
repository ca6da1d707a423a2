import type { WalletStatus, WalletType } from "../../accounts/wallets/wallet.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";

/** A deposit of any account of this service, as an internal payment needs it. */
export type TargetDeposit = {
  readonly kind: "deposit";
  readonly accountId: string;
  readonly walletId: string;
  readonly depositId: string;
  /** The value of a payout's `target_deposit`. */
  readonly paymentPageId: string;
  /** The payment currency; null until the payer selects one. */
  readonly currency: CurrencyId | null;
  readonly chain: string | null;
  /** Null until an address is assigned. In the canonical spelling where a payout names it, otherwise as the deposit shows it. */
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

/** The target of an internal payment. */
export type InternalTarget = TargetDeposit | TargetWallet;

/**
 * What an address or id means in this service. `reserved` is one of our addresses that no deposit uses (still in the
 * pool, or an operator's account); payouts to it are refused, since no one would be credited.
 */
export type InternalDestination = InternalTarget | { readonly kind: "reserved" };
