import type { CurrencyRegistry } from "../../currencies/registry.ts";
import {
  flag,
  id,
  instant,
  integer,
  jsonObject,
  orNull,
  type Row,
  recordReader,
  text,
  units,
} from "../../platform/db/columns.ts";

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

/*
 * The definition of a stored wallet: each attribute once, with its column. The type, the select list, the insert and both
 * conversions follow from it.
 */

/** Inserted at creation. */
export const newWalletFields = {
  accountId: id("account_id"),
  type: integer<WalletType>("type"),
  currency: text("currency"),
  label: text("label"),
  status: integer<WalletStatus>("status"),
  createdAt: instant("created_at"),
};

export const walletFields = {
  ...newWalletFields,
  id: id("id"),
  /** The chain requires an activation transfer, which has not arrived. */
  needsActivation: flag("needs_activation"),
  /** The wallet's own address, on chains where wallets have one; null: each deposit has its own. */
  destination: orNull(jsonObject("destination")),
  /** Can be paid out now, in units of the wallet's currency. Excludes money held for payouts. */
  available: units("available"),
  /** Received, but without the confirmations that the currency requires. */
  pending: units("pending"),
  /** The part of `available` on deposit addresses that costs more to move than it is worth. */
  unusable: units("unusable"),
};

const readWalletFields = recordReader(walletFields);

export function walletFromRow(row: Row, currencies: CurrencyRegistry) {
  const wallet = readWalletFields(row);
  return { ...wallet, currency: currencies.get(wallet.currency) };
}

/** An account's money in one currency. */
export type Wallet = ReturnType<typeof walletFromRow>;
