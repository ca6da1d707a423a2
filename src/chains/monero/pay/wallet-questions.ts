import type { CoinClaims } from "../../../signer/intent.ts";
import { Malformed, readFields, readText } from "../../rpc/answer.ts";
import { readHash, readList, readNumber, readUnits } from "../answer.ts";

/*
 * What is asked of monero-wallet-rpc. Amounts are integers of up to 64 bits, so the parameters are JSON text.
 */

/** One method, its parameters as JSON text, and how its answer is read; `read` throws `Malformed`. */
export type WalletQuestion<Answer> = {
  readonly method: string;
  readonly params: string;
  readonly read: (result: unknown) => Answer;
};

const nothing = (): void => undefined;

/** The address of the account that is open. */
export const accountAddress: WalletQuestion<string> = {
  method: "get_address",
  params: '{"account_index":0,"address_index":[0]}',
  read: (result) => readText(readFields(result)["address"]),
};

/** The version of the wallet program's interface, such as `1.26`. */
export const walletVersion: WalletQuestion<string> = {
  method: "get_version",
  params: "{}",
  read: (result) => {
    const version = readNumber(readFields(result)["version"]);
    return `${Math.floor(version / 65_536)}.${version % 65_536}`;
  },
};

/** Up to which block the open wallet has read. */
export const walletHeight: WalletQuestion<number> = {
  method: "get_height",
  params: "{}",
  read: (result) => readNumber(readFields(result)["height"]),
};

export function openAccount(name: string, password: string): WalletQuestion<true> {
  return {
    method: "open_wallet",
    params: JSON.stringify({ filename: name, password }),
    read: () => true,
  };
}

/** The wallet reads the chain from the height on. */
export function createAccount(account: {
  readonly name: string;
  readonly password: string;
  readonly address: string;
  readonly viewKey: string;
  readonly height: number;
}): WalletQuestion<void> {
  const { name: filename, password, address, viewKey: viewkey, height: restore_height } = account;
  const params = { filename, password, address, viewkey, restore_height };
  return { method: "generate_from_keys", params: JSON.stringify(params), read: nothing };
}

export const refresh: WalletQuestion<void> = { method: "refresh", params: "{}", read: nothing };

/** An output of ours, as the wallet shows it. */
export type WalletOutput = {
  readonly txid: string;
  /** The one-time key. */
  readonly key: string;
  /** Null until it was imported. */
  readonly keyImage: string | null;
  readonly isFrozen: boolean;
  /** The subaddress within the account that it pays; 0 is the account's own address. */
  readonly minor: number;
};

/** All outputs, or those that no transaction has spent as far as the wallet knows. */
export function outputsOf(which: "all" | "available"): WalletQuestion<readonly WalletOutput[]> {
  return {
    method: "incoming_transfers",
    params: JSON.stringify({ transfer_type: which, account_index: 0 }),
    read: (result) => readList(readFields(result)["transfers"]).map(readOutput),
  };
}

function readOutput(value: unknown): WalletOutput {
  const { frozen, key_image, pubkey, subaddr_index, tx_hash } = readFields(value);
  return {
    txid: readHash(tx_hash),
    key: readHash(pubkey),
    keyImage: key_image === undefined || key_image === "" ? null : readHash(key_image),
    isFrozen: frozen === true,
    minor: readNumber(readFields(subaddr_index)["minor"]),
  };
}

/** Lets the wallet find what these transactions pay it. */
export function showTransactions(txids: readonly string[]): WalletQuestion<void> {
  return { method: "scan_tx", params: JSON.stringify({ txids }), read: nothing };
}

/** Whether the wallet watches the subaddress. */
export function subaddress(minor: number): WalletQuestion<void> {
  const params = JSON.stringify({ account_index: 0, address_index: [minor] });
  return { method: "get_address", params, read: nothing };
}

/** The most subaddresses that are created at once. */
const subaddressesAtOnce = 64;

/** Watches further subaddresses; answers the highest. */
export const moreSubaddresses: WalletQuestion<number> = {
  method: "create_address",
  params: JSON.stringify({ account_index: 0, count: subaddressesAtOnce }),
  read: (result) => Math.max(...readList(readFields(result)["address_indices"]).map(readNumber)),
};

/** The outputs in the form that the offline wallet imports: those without key images, or all of them. */
export function exportOutputs(which: "new" | "all"): WalletQuestion<string> {
  return {
    method: "export_outputs",
    params: JSON.stringify({ all: which === "all" }),
    read: (result) => readText(readFields(result)["outputs_data_hex"]),
  };
}

export function importKeyImages({ offset, claims }: CoinClaims): WalletQuestion<void> {
  const signed_key_images = claims.map(({ claim, proof }) => ({
    key_image: claim,
    signature: proof,
  }));
  const params = JSON.stringify({ offset, signed_key_images });
  return { method: "import_key_images", params, read: nothing };
}

/** Frozen outputs are not spent. */
export function freeze(keyImage: string, isFrozen: boolean): WalletQuestion<void> {
  const params = JSON.stringify({ key_image: keyImage });
  return { method: isFrozen ? "freeze" : "thaw", params, read: nothing };
}

/** A transaction that the offline wallet can sign. */
export type UnsignedSet = { readonly unsigned: string; readonly feeUnits: bigint };

export function draftTransfer(
  payments: readonly { readonly address: string; readonly units: bigint }[],
  priority: number,
): WalletQuestion<UnsignedSet> {
  const destinations = payments.map(
    ({ address, units }) => `{"address":${JSON.stringify(address)},"amount":${units}}`,
  );
  return {
    method: "transfer",
    params: `{"destinations":[${destinations.join()}],"account_index":0,"priority":${priority},"do_not_relay":true}`,
    read: (result) => {
      const { fee, unsigned_txset } = readFields(result);
      return readSet(unsigned_txset, fee);
    },
  };
}

/**
 * Sends everything that is not frozen, and by the wallet's estimate worth its fee, to an address of our own, in two parts: a single output would
 * need a second one of no value. Answers the units that arrive as well.
 */
export function draftMerge(
  address: string,
  subaddresses: readonly number[],
  priority: number,
): WalletQuestion<UnsignedSet & { readonly units: bigint }> {
  const params = {
    address,
    account_index: 0,
    subaddr_indices: subaddresses,
    priority,
    outputs: 2,
    do_not_relay: true,
  };
  return {
    method: "sweep_all",
    params: JSON.stringify(params),
    read: (result) => {
      const { amount_list, fee_list, unsigned_txset } = readFields(result);
      const [fee, ...others] = readList(fee_list);
      if (others.length > 0) throw new Malformed("more than one transaction");
      return { ...readSet(unsigned_txset, fee), units: readUnits(readList(amount_list)[0]) };
    },
  };
}

function readSet(unsigned: unknown, fee: unknown): UnsignedSet {
  const text = readText(unsigned);
  if (!/^(?:[0-9a-f]{2})+$/.test(text)) throw new Malformed("no unsigned set");
  return { unsigned: text, feeUnits: BigInt(readNumber(fee)) };
}
