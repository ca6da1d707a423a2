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

/** An account's money in one currency. */
export type Wallet = {
  readonly accountId: string;
  readonly id: string;
  readonly type: WalletType;
  readonly currency: Currency;
  readonly label: string;
  readonly status: WalletStatus;
  /** The chain requires an activation transfer, which has not arrived. */
  readonly needsActivation: boolean;
  /** The wallet's own address, on chains where wallets have one; null: each deposit has its own. */
  readonly destination: JsonObject | null;
  readonly createdAt: Instant;
  /** In units of the wallet's currency. */
  readonly balance: WalletBalance;
};

export type WalletBalance = {
  /** Can be paid out now. Excludes money held for payouts. */
  readonly available: bigint;
  /** Received, but without the confirmations that the currency requires. */
  readonly pending: bigint;
  /** The part of `available` on deposit addresses that costs more to move than it is worth. */
  readonly unusable: bigint;
};
