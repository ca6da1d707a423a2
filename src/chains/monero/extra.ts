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
const padding = 0x00;
const publicKey = 0x01;
const nonce = 0x02;
const mergeMining = 0x03;
const additionalKeys = 0x04;
const minergate = 0xde;

const keyLength = 32;

/**
 * The keys of an extra field. Senders may write anything into it: what was read before the first part that is no field counts, as in Monero's
 * own wallet. Payment ids, which only say what a payment is for, are skipped: a deposit's subaddress says that.
 */
export function readExtraKeys(extra: Uint8Array): ExtraKeys {
  const publicKeys: Uint8Array[] = [];
  const outputKeys: Uint8Array[] = [];
  const reader = createByteReader(extra);
  try {
    while (!reader.isAtEnd()) {
      const field = reader.byte();
      if (field === publicKey) publicKeys.push(reader.bytes(keyLength));
      else if (field === nonce || field === mergeMining || field === minergate)
        reader.bytes(reader.varint());
      else if (field === additionalKeys) {
        const count = reader.count(keyLength);
        const keys = Array.from({ length: count }, () => reader.bytes(keyLength));
        // As in Monero's own wallet, a second such field does not count.
        if (outputKeys.length === 0) outputKeys.push(...keys);
      } else if (field === padding) break;
      else break;
    }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
  }
  return { publicKeys: distinct(publicKeys), outputKeys };
}

/** The same key twice would find every output twice. */
function distinct(keys: readonly Uint8Array[]): readonly Uint8Array[] {
  return keys.filter(
    (key, place) => keys.findIndex((other) => Buffer.compare(key, other) === 0) === place,
  );
}
