import type { KeyNetwork } from "../keys/account-paths.ts";

/** BIP-44 (also where it is the only one and has no name), BIP-49, BIP-84, BIP-86. */
export type AddressType = "" | "legacy" | "p2sh-segwit" | "bech32" | "bech32m";

/** One network of a chain of the Bitcoin family, from the signer's own configuration. Plain JSON. */
export type UtxoNetwork = {
  /** Those of its accounts; our coins and our change have one of them. */
  readonly addressTypes: readonly AddressType[];
  /** SLIP-173; null on chains without segwit. */
  readonly segwitPrefix: string | null;
  /** Of CashAddr addresses; null on chains that do not write them. */
  readonly cashAddressPrefix: string | null;
  /** Hex of the version bytes of base58check addresses, one or more. */
  readonly publicKeyHashPrefix: string;
  readonly scriptHashPrefix: string;
  /** What signatures sign, and with it the format of transactions: see `UtxoFacts.signatureHash` of the currencies. */
  readonly signatureHash: "bitcoin" | "forkid" | "zip244";
  /** `typed`: a transaction of a type may have no inputs, and carries a payload behind the lock time (Dash, DIP-2). */
  readonly transactionFormat: "flagged" | "typed" | "tokens";
  /** Whether inputs permit the transaction to be replaced (BIP-125). */
  readonly replacement: boolean;
  /** SLIP-44 number of the coin, also on test networks. */
  readonly coinType: number;
  readonly keys: KeyNetwork;
  /** The supply in smallest units as decimal text: no amount is larger. */
  readonly unitsMax: string;
};
