import type { CurrencyId } from "../platform/kernel/money.ts";
import type { ChainId } from "./currency.ts";

/** Every address type of the interface, regardless of the chains that this deployment follows. */
export const knownAddressTypes: readonly string[] = [
  "legacy",
  "p2sh-segwit",
  "bech32",
  "bech32m",
  "cash",
  "address",
  "x-address",
];

/** Where this deployment derives a currency's addresses, and their address types (empty if there is only one form). */
export type Keyspace = {
  readonly name: string;
  readonly chain: ChainId;
  readonly addressTypes: readonly string[];
  readonly defaultAddressType: string;
  /** The type under which addresses wait that all types spell; absent where each type has addresses of its own. */
  readonly pooledAs?: string;
  /** Nobody can pay an address before a transaction of ours has activated it. Absent where every address can be paid at once. */
  readonly needsActivation?: true;
};

/** Null for currencies of chains that this deployment does not follow. */
export type FindKeyspace = (currency: CurrencyId) => Keyspace | null;
