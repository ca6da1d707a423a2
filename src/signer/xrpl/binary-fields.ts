import { DraftRefused } from "../draft-signer.ts";

/*
 * The part of the XRP Ledger's binary format that our transactions use. Each field begins with its type and its number, and fields come in
 * that order. The reader accepts each field once and in one form only, so nothing is signed that was not read.
 */

/** A field's type and number. */
type Field = { readonly type: number; readonly number: number; readonly length: number };

/** Fixed lengths, in bytes; accounts (type 8) have their length before them. */
const fields = {
  transactionType: { type: 1, number: 2, length: 2 },
  networkId: { type: 2, number: 1, length: 4 },
  sequence: { type: 2, number: 4, length: 4 },
  destinationTag: { type: 2, number: 14, length: 4 },
  lastLedger: { type: 2, number: 27, length: 4 },
  setFlag: { type: 2, number: 33, length: 4 },
  amount: { type: 6, number: 1, length: 8 },
  fee: { type: 6, number: 8, length: 8 },
  account: { type: 8, number: 1, length: 20 },
  destination: { type: 8, number: 3, length: 20 },
} as const satisfies Readonly<Record<string, Field>>;

export type FieldName = keyof typeof fields;

export type ReadFields = {
  /** The value of each field in bytes. */
  readonly values: ReadonlyMap<FieldName, Buffer>;
  /** Where the accounts begin: the signer's key and its signature (type 7) belong before them. */
  readonly accountsAt: number;
};

const accountType = 8;

/** Reads all fields. Throws `DraftRefused` for one that is unknown, repeated or out of order, and for bytes that are missing. */
export function readFields(bytes: Uint8Array): ReadFields {
  const values = new Map<FieldName, Buffer>();
  let at = 0;
  let last = 0;
  let accountsAt = bytes.length;
  while (at < bytes.length) {
    const begin = at;
    const { type, number } = readHeader();
    const place = type * 256 + number;
    const name = nameOf(type, number);
    if (name === null) throw new DraftRefused(`the unknown field ${number} of type ${type}`);
    if (place <= last) throw new DraftRefused(`field ${name} is out of order`);
    last = place;
    const { length } = fields[name];
    if (type === accountType) {
      accountsAt = Math.min(accountsAt, begin);
      if (take(1)[0] !== length) throw new DraftRefused(`${name} is not ${length} bytes long`);
    }
    values.set(name, take(length));
  }
  return { values, accountsAt };

  function take(length: number): Buffer {
    if (at + length > bytes.length) throw new DraftRefused("the transaction ends early");
    const taken = Buffer.from(bytes.subarray(at, at + length));
    at += length;
    return taken;
  }

  /** One byte holds both, each below 16; a number from 16 on has a byte of its own. */
  function readHeader(): { readonly type: number; readonly number: number } {
    const [first = 0] = take(1);
    const [type, short] = [first >> 4, first & 15];
    if (type === 0) throw new DraftRefused("a field of an unusual type");
    if (short !== 0) return { type, number: short };
    const [number = 0] = take(1);
    if (number < 16) throw new DraftRefused("a field's number has an unusual form");
    return { type, number };
  }
}

function nameOf(type: number, number: number): FieldName | null {
  const found = Object.entries(fields).find(
    ([, field]) => field.type === type && field.number === number,
  );
  return found === undefined ? null : (found[0] as FieldName);
}
