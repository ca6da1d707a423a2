import {
  bytesOf,
  CborError,
  decode,
  type Encodable,
  encode,
  fieldsOf,
  hexOf,
  type Item,
  intOf,
  listOf,
  mapOf,
} from "./cbor.ts";
import { hash256, hex, unhex } from "./hash.ts";
import { encodableScript, languageAt, readScript, type Script } from "./script.ts";
import { type Assets, encodableValue, readAssets, readValue, type Value } from "./value.ts";
import { readWitnesses, type Witnesses } from "./witnesses.ts";

export type OutputReference = { readonly txid: string; readonly index: number };

export type Output = {
  readonly raw: Uint8Array;
  readonly address: Uint8Array;
  readonly value: Value;
  /** In hex, of a datum that the output does not contain. */
  readonly datumHash: string | null;
  /** In hex, of a datum in the output. */
  readonly datum: string | null;
  readonly script: Script | null;
};

/** A transaction of the Conway era. */
export type Transaction = Witnesses & {
  readonly id: string;
  readonly raw: Uint8Array;
  /** The parts that a block lists apart from each other. */
  readonly parts: {
    readonly body: Uint8Array;
    readonly witnesses: Uint8Array;
    readonly auxiliary: Uint8Array | null;
  };
  /** False if its scripts failed, so that it takes the collateral only. */
  readonly isValid: boolean;
  /** In the order of ids and indexes, as the ledger's set has them. */
  readonly inputs: readonly OutputReference[];
  readonly references: readonly OutputReference[];
  readonly collaterals: readonly OutputReference[];
  readonly outputs: readonly Output[];
  readonly collateralReturn: Output | null;
  readonly totalCollateral: bigint | null;
  readonly fee: bigint;
  readonly invalidBefore: bigint | null;
  /** The first slot in which it is not valid any more. */
  readonly invalidAfter: bigint | null;
  readonly mint: Assets;
  readonly requiredSigners: readonly string[];
  readonly networkId: number | null;
  readonly scriptIntegrityHash: string | null;
  readonly metadataHash: string | null;
  /** The metadata by label. */
  readonly metadata: readonly (readonly [label: bigint, metadatum: Item])[];
  /** The scripts in the auxiliary data. */
  readonly auxiliaryScripts: readonly Script[];
  /** Fields of the body that the simulated ledger does not execute, by name. */
  readonly unsupported: readonly string[];
};

const field = {
  inputs: 0,
  outputs: 1,
  fee: 2,
  invalidAfter: 3,
  metadataHash: 7,
  invalidBefore: 8,
  mint: 9,
  scriptIntegrityHash: 11,
  collaterals: 13,
  requiredSigners: 14,
  networkId: 15,
  collateralReturn: 16,
  totalCollateral: 17,
  references: 18,
} as const;

/** Stake, rewards and governance. */
const unsupportedFields: readonly (readonly [number, string])[] = [
  [4, "certificates"],
  [5, "withdrawals"],
  [6, "update"],
  [19, "votes"],
  [20, "proposals"],
  [21, "treasury value"],
  [22, "donation"],
];

/** Reads a transaction. Throws `CborError`. */
export function readTransaction(raw: Uint8Array): Transaction {
  const [body, witnesses, isValid, auxiliary, ...rest] = listOf(decode(raw));
  if (body === undefined || witnesses === undefined || isValid?.kind !== "simple")
    throw new CborError("a transaction has four items");
  if (auxiliary === undefined || rest.length > 0)
    throw new CborError("a transaction has four items");
  const fields = fieldsOf(body);
  const hasAuxiliary = auxiliary.kind !== "simple";
  return {
    ...readBody(fields),
    ...readWitnesses(witnesses),
    ...(hasAuxiliary ? readAuxiliary(auxiliary) : { metadata: [], auxiliaryScripts: [] }),
    id: hex(hash256(body.raw)),
    raw,
    parts: {
      body: body.raw,
      witnesses: witnesses.raw,
      auxiliary: hasAuxiliary ? auxiliary.raw : null,
    },
    isValid: isValid.value === true,
    unsupported: unsupportedFields.flatMap(([key, name]) => (fields.has(key) ? [name] : [])),
  };
}

type Body = Omit<
  Transaction,
  | keyof Witnesses
  | "id"
  | "raw"
  | "parts"
  | "isValid"
  | "metadata"
  | "auxiliaryScripts"
  | "unsupported"
>;

function readBody(fields: ReadonlyMap<number, Item>): Body {
  const { inputs, outputs, fee } = field;
  const [inputSet, outputList, feeItem] = [inputs, outputs, fee].map((key) => fields.get(key));
  if (inputSet === undefined || outputList === undefined || feeItem === undefined)
    throw new CborError("a transaction lacks its inputs, its outputs or its fee");
  const read = <Result>(key: number, reader: (item: Item) => Result): Result | null => {
    const item = fields.get(key);
    return item === undefined ? null : reader(item);
  };
  const networkId = read(field.networkId, intOf);
  return {
    inputs: readReferences(inputSet),
    outputs: listOf(outputList).map(readOutput),
    fee: intOf(feeItem),
    references: read(field.references, readReferences) ?? [],
    collaterals: read(field.collaterals, readReferences) ?? [],
    collateralReturn: read(field.collateralReturn, readOutput),
    totalCollateral: read(field.totalCollateral, intOf),
    invalidBefore: read(field.invalidBefore, intOf),
    invalidAfter: read(field.invalidAfter, intOf),
    mint: read(field.mint, readAssets) ?? new Map(),
    requiredSigners: read(field.requiredSigners, (item) => listOf(item).map(hexOf)) ?? [],
    networkId: networkId === null ? null : Number(networkId),
    scriptIntegrityHash: read(field.scriptIntegrityHash, hexOf),
    metadataHash: read(field.metadataHash, hexOf),
  };
}

function readReferences(item: Item): readonly OutputReference[] {
  return listOf(item)
    .map((reference) => {
      const [txid, index] = listOf(reference);
      if (txid === undefined || index === undefined) throw new CborError("an input has two items");
      return { txid: hexOf(txid), index: Number(intOf(index)) };
    })
    .toSorted((a, b) => (a.txid === b.txid ? a.index - b.index : a.txid < b.txid ? -1 : 1));
}

/** Reads an output of either form: a list, or a map since the Babbage era. */
function readOutput(item: Item): Output {
  if (item.kind === "list") {
    const [address, value, datumHash] = item.items;
    if (address === undefined || value === undefined) throw new CborError("an output is cut off");
    return {
      raw: item.raw,
      address: bytesOf(address),
      value: readValue(value),
      datumHash: datumHash === undefined ? null : hexOf(datumHash),
      datum: null,
      script: null,
    };
  }
  const fields = fieldsOf(item);
  const [address, value, datum, script] = [0, 1, 2, 3].map((key) => fields.get(key));
  if (address === undefined || value === undefined) throw new CborError("an output is cut off");
  return {
    raw: item.raw,
    address: bytesOf(address),
    value: readValue(value),
    ...(datum === undefined ? { datumHash: null, datum: null } : readDatum(datum)),
    script: script === undefined ? null : readScript(decode(embedded(script))),
  };
}

function readDatum(item: Item): Pick<Output, "datumHash" | "datum"> {
  const [kind, content] = listOf(item);
  if (kind === undefined || content === undefined) throw new CborError("a datum has two items");
  return intOf(kind) === 0n
    ? { datumHash: hexOf(content), datum: null }
    : { datumHash: null, datum: hex(embedded(content)) };
}

/** The bytes of CBOR in CBOR (tag 24). */
function embedded(item: Item): Uint8Array {
  if (item.kind !== "tag") throw new CborError("CBOR in CBOR is expected");
  return bytesOf(item.item);
}

/** Metadata alone, with native scripts (Allegra), or a map with all scripts (Alonzo, tag 259). */
function readAuxiliary(item: Item): Pick<Transaction, "metadata" | "auxiliaryScripts"> {
  const labels = (map: Item): Transaction["metadata"] =>
    mapOf(map).map(([label, metadatum]) => [intOf(label), metadatum]);
  if (item.kind === "map") return { metadata: labels(item), auxiliaryScripts: [] };
  if (item.kind === "list") {
    const [metadata, scripts] = item.items;
    if (metadata === undefined || scripts === undefined)
      throw new CborError("the auxiliary data is cut off");
    const native = listOf(scripts).map(({ raw }) => ({ language: languageAt(0), bytes: raw }));
    return { metadata: labels(metadata), auxiliaryScripts: native };
  }
  if (item.kind !== "tag") throw new CborError("the auxiliary data is of another type");
  const fields = fieldsOf(item.item);
  const metadata = fields.get(0);
  return {
    metadata: metadata === undefined ? [] : labels(metadata),
    auxiliaryScripts: [1, 2, 3, 4].flatMap((key) => {
      const scripts = fields.get(key);
      const language = languageAt(key - 1);
      if (scripts === undefined) return [];
      return listOf(scripts).map((script) => ({
        language,
        bytes: language === "native" ? script.raw : bytesOf(script),
      }));
    }),
  };
}

/** The references to what a transaction takes from the unspent outputs. */
export function consumedBy(transaction: Transaction): readonly OutputReference[] {
  return transaction.isValid ? transaction.inputs : transaction.collaterals;
}

/** What it adds to them: a failed one returns the rest of the collateral after the last output's index. */
export function producedBy({
  collateralReturn,
  id,
  isValid,
  outputs,
}: Transaction): readonly (readonly [OutputReference, Output])[] {
  if (isValid) return outputs.map((output, index) => [{ txid: id, index }, output]);
  return collateralReturn === null ? [] : [[{ txid: id, index: outputs.length }, collateralReturn]];
}

export function referenceKey({ index, txid }: OutputReference): string {
  return `${txid}#${index}`;
}

export function encodableReference({ index, txid }: OutputReference): Encodable {
  return [unhex(txid), index];
}

/** An output without a datum or a script is a list, as older tools write it. */
export function createOutput(
  address: Uint8Array,
  value: Value,
  more: { readonly datum?: Encodable; readonly script?: Script } = {},
): Output {
  const { datum, script } = more;
  const fields: (readonly [number, Encodable])[] = [
    [0, address],
    [1, encodableValue(value)],
  ];
  if (datum !== undefined) fields.push([2, [1, { tag: 24, value: encode(datum) }]]);
  if (script !== undefined) fields.push([3, { tag: 24, value: encode(encodableScript(script)) }]);
  return readOutput(decode(encode(new Map(fields))));
}
