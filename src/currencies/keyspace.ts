import type { CurrencyId } from "../platform/kernel/money.ts";
import type { ChainId } from "./currency.ts";

/** Every address type of the interface, whatever chains this deployment follows. */
export const knownAddressTypes: readonly string[] = [
  "legacy",
  "p2sh-segwit",
  "bech32",
  "bech32m",
  "cash",
  "address",
  "x-address",
];

/** Where addresses for a currency come from in this deployment, and the address types there are (empty: one form only). */
export type Keyspace = {
  readonly name: string;
  readonly chain: ChainId;
  readonly addressTypes: readonly string[];
  readonly defaultAddressType: string;
};

/** Null for a currency whose chain this deployment does not follow. */
export type FindKeyspace = (currency: CurrencyId) => Keyspace | null;
