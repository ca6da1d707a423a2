import { DraftRefused } from "../draft-signer.ts";
import { type FieldName, type ReadFields, readFields } from "./binary-fields.ts";

/** What a transaction does. Accounts are 20 bytes in hexadecimal; `from` signs it. */
export type XrplAction =
  /** XRP, in drops. */
  | {
      readonly type: "payment";
      readonly from: string;
      readonly to: string;
      /** Decimal text. */
      readonly tag: string | null;
      readonly units: bigint;
    }
  /** The account requires destination tags from now on. */
  | { readonly type: "requireTag"; readonly from: string };

export type XrplTransaction = {
  readonly action: XrplAction;
  readonly sequence: number;
  readonly feeUnits: bigint;
  /** No later ledger contains it. */
  readonly lastLedger: number;
  readonly networkId: number | null;
  /** Where the signer's key and signature belong among the bytes. */
  readonly accountsAt: number;
};

const types = { payment: 0, accountSet: 3 };
const requireDestinationTag = 1;
/** All XRP there ever was, in drops. */
const unitsMax = 100_000_000_000_000_000n;

const common: readonly FieldName[] = [
  "transactionType",
  "networkId",
  "sequence",
  "lastLedger",
  "fee",
  "account",
];

/**
 * Reads the bytes of a transaction that has no key and no signature yet. Throws `DraftRefused` for every type but payments of XRP and the
 * setting of RequireDest, and for every member that transactions of ours do not have: flags, memos, paths, other signers, a delegate, a
 * ticket, issued currencies.
 */
export function readTransaction(bytes: Uint8Array): XrplTransaction {
  const read = readFields(bytes);
  const sequence = numberOf(read, "sequence");
  if (sequence === 0) throw new DraftRefused("a transaction without a sequence");
  return {
    action: readAction(read),
    sequence,
    feeUnits: dropsOf(read, "fee"),
    lastLedger: numberOf(read, "lastLedger"),
    networkId: read.values.has("networkId") ? numberOf(read, "networkId") : null,
    accountsAt: read.accountsAt,
  };
}

function readAction(read: ReadFields): XrplAction {
  const type = valueOf(read, "transactionType").readUInt16BE();
  const from = valueOf(read, "account").toString("hex");
  if (type === types.payment) {
    allow(read, ["amount", "destination", "destinationTag"]);
    const tag = read.values.has("destinationTag") ? String(numberOf(read, "destinationTag")) : null;
    const to = valueOf(read, "destination").toString("hex");
    return { type: "payment", from, to, tag, units: dropsOf(read, "amount") };
  }
  if (type !== types.accountSet)
    throw new DraftRefused(`transactions of type ${type} are not signed`);
  allow(read, ["setFlag"]);
  if (numberOf(read, "setFlag") !== requireDestinationTag)
    throw new DraftRefused("sets something other than RequireDest");
  return { type: "requireTag", from };
}

function allow({ values }: ReadFields, own: readonly FieldName[]): void {
  for (const name of values.keys())
    if (!common.includes(name) && !own.includes(name))
      throw new DraftRefused(`${name} does not belong to this type of transaction`);
}

function valueOf({ values }: ReadFields, name: FieldName): Buffer {
  const value = values.get(name);
  if (value === undefined) throw new DraftRefused(`${name} is missing`);
  return value;
}

function numberOf(read: ReadFields, name: FieldName): number {
  return valueOf(read, name).readUInt32BE();
}

/** An amount of XRP: the highest bit is not set (issued currencies), and the second one is (not negative). */
function dropsOf(read: ReadFields, name: FieldName): bigint {
  const word = valueOf(read, name).readBigUInt64BE();
  const units = word & ((1n << 62n) - 1n);
  if (word >> 62n !== 1n || units === 0n || units > unitsMax)
    throw new DraftRefused(`${name} is not a positive amount of XRP`);
  return units;
}
