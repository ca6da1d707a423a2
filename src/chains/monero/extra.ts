import { Malformed } from "../rpc/answer.ts";
import { createByteReader } from "./byte-reader.ts";

/** The public keys in a transaction's extra field. */
export type ExtraKeys = {
  /** Of the transaction; senders need one, but nothing rejects a second one, or the same one twice. */
  readonly publicKeys: readonly Uint8Array[];
  /** One per output, where a payment to several receivers includes a subaddress; otherwise empty. */
  readonly outputKeys: readonly Uint8Array[];
};

/* Fields by their first byte (src/cryptonote_basic/tx_extra.h). */
const publicKey = 0x01;
const nonce = 0x02;
const mergeMining = 0x03;
const additionalKeys = 0x04;
const minergate = 0xde;

const keyLength = 32;
const hashLength = 32;
const nonceMax = 255;

/**
 * The keys of an extra field, as Monero's own wallet finds them (`parse_tx_extra` in src/cryptonote_basic/cryptonote_format_utils.cpp): an output that
 * it does not see cannot be spent. Senders may write anything into the field. What was read before the first part that is no field counts. Payment
 * ids, which only say what a payment is for, are skipped: a deposit's subaddress says that.
 */
export function readExtraKeys(extra: Uint8Array): ExtraKeys {
  const publicKeys: Uint8Array[] = [];
  let outputKeys: readonly Uint8Array[] | null = null;
  const reader = createByteReader(extra);
  try {
    while (!reader.isAtEnd()) {
      const field = reader.byte();
      if (field === publicKey) publicKeys.push(reader.bytes(keyLength));
      else if (field === nonce) reader.bytes(reader.varint(nonceMax));
      else if (field === mergeMining) skipMergeMining(reader.bytes(reader.varint()));
      else if (field === minergate) reader.bytes(reader.varint());
      else if (field === additionalKeys) {
        const count = reader.count(keyLength);
        const keys = Array.from({ length: count }, () => reader.bytes(keyLength));
        // A second such field does not count, also behind one without keys.
        outputKeys ??= keys;
      } else {
        // Padding, which reaches to the end, or no field at all.
        break;
      }
    }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
  }
  return { publicKeys: distinct(publicKeys), outputKeys: outputKeys ?? [] };
}

/** A depth, a root and nothing else. */
function skipMergeMining(content: Uint8Array): void {
  const reader = createByteReader(content);
  reader.bigVarint();
  reader.bytes(hashLength);
  if (!reader.isAtEnd()) throw new Malformed("bytes behind a merge-mining field");
}

/** The same key twice would find every output twice. */
function distinct(keys: readonly Uint8Array[]): readonly Uint8Array[] {
  return keys.filter(
    (key, place) => keys.findIndex((other) => Buffer.compare(key, other) === 0) === place,
  );
}
