import type { Ed25519Key } from "../keys/ed25519-keys.ts";
import { type Cell, writeBoc } from "./cell.ts";
import { type CellWriter, writeCell } from "./cell-writer.ts";
import type { TonDraft } from "./read-draft.ts";

/**
 * Signs an order with the key: Ed25519 over the hash of its cell, deterministic (RFC 8032). `raw` is the external message that carries it to
 * the wallet, with the wallet's code where it is still missing. The id is the message's normalized hash (TEP-467), in which nothing but the
 * wallet and the signed order counts, since those who relay a message can write it differently.
 */
export function signOrder(
  { cell, from, init }: TonDraft,
  key: Ed25519Key,
): { readonly txid: string; readonly raw: Uint8Array } {
  const body = writeCell().bytes(key.sign(cell.hash)).ref(cell).cell();
  const message = writeHeader(from);
  if (init === null) message.uint(1, 0n);
  else message.uint(2, 0b11n).ref(init);
  return { txid: idOf(from, body), raw: writeBoc(message.uint(1, 1n).ref(body).cell()) };
}

function idOf(from: Uint8Array, body: Cell): string {
  const normalized = writeHeader(from).uint(2, 0b01n).ref(body).cell();
  return Buffer.from(normalized.hash).toString("hex");
}

/** `ext_in_msg_info`: from nowhere, to the wallet, without a fee. */
function writeHeader(wallet: Uint8Array): CellWriter {
  return writeCell()
    .uint(2 + 2, 0b1000n)
    .uint(3 + 8, 0b100n << 8n)
    .bytes(wallet)
    .uint(4, 0n);
}
