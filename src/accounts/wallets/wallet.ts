import type { Currency } from "../../currencies/currency.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";

/** The interface's numbers for a wallet's type and status. */
export const walletType = { merchant: 1, enterprise: 2, custody: 3, nft: 4, swap: 5 } as const;
export const walletStatus = { inactive: 1, beingRegistered: 2, active: 3 } as const;

export type WalletType = (typeof walletType)[keyof typeof walletType];
export type WalletStatus = (typeof walletStatus)[keyof typeof walletStatus];

export const walletTypes = [
  { value: walletType.merchant, name: "Merchant" },
  { value: walletType.enterprise, name: "Enterprise" },
  { value: walletType.custody, name: "Custody" },
  { value: walletType.nft, name: "NFT" },
  { value: walletType.swap, name: "Swap" },
] as const;

export const walletStatuses = [
  { value: walletStatus.inactive, name: "Inactive" },
  { value: walletStatus.beingRegistered, name: "Being registered" },
  { value: walletStatus.active, name: "Active" },
] as const;

/** Money kept for an account, in one currency. */
export type Wallet = {
  readonly accountId: string;
  readonly id: string;
  readonly type: WalletType;
  readonly currency: Currency;
  readonly label: string;
  readonly status: WalletStatus;
  /** On a chain that asks for it, until the activation transfer is through. */
  readonly needsActivation: boolean;
  /** The wallet's own address, on chains where wallets have one; null: deposits carry the addresses. */
  readonly destination: JsonObject | null;
  readonly createdAt: Instant;
  /** Units of the wallet's currency. */
  readonly balance: WalletBalance;
};

export type WalletBalance = {
  /** Payable now. What payouts hold is not among it: it is no longer the account's to spend. */
  readonly available: bigint;
  /** Seen or confirmed, but not yet at the currency's own count. */
  readonly pending: bigint;
  /** The part of `available` on deposit addresses that is not worth the fee of moving it. */
  readonly unusable: bigint;
};
