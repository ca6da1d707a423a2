import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { DraftRefused } from "../draft-signer.ts";

/* Reads a draft's body strictly, since an ignored part could mean something elsewhere. */

export type DraftInput = {
  readonly txid: string;
  readonly index: number;
  readonly units: bigint;
  readonly branch: 0 | 1;
  readonly keyIndex: number;
};

/** Tokens by `policy` or `policy.name` in hexadecimal. */
export type DraftAsset = { readonly asset: string; readonly units: bigint };

/** `change` is the number of our change address that the output claims to pay; null for a payment. */
export type DraftOutput = {
  readonly address: string;
  readonly units: bigint;
  readonly assets: readonly DraftAsset[];
  readonly change: number | null;
};

export type CardanoDraft = {
  readonly inputs: readonly DraftInput[];
  readonly outputs: readonly DraftOutput[];
  readonly feeUnits: bigint;
  /** The first slot whose block may not contain it, and its time in microseconds since 1970. */
  readonly ttl: number;
  readonly until: number;
};

const bodyVersion = 1;
const keyIndexEnd = 2 ** 31;
/** The ledger counts outputs in 16 bits. */
const indexEnd = 2 ** 16;
const slotEnd = 2 ** 32;

/** Throws `DraftRefused` for anything but a draft as the adapter writes it. `unitsMax` is the supply. */
export function readDraft(body: JsonObject, unitsMax: bigint): CardanoDraft {
  const { feeUnits, inputs, outputs, ttl, until, version } = membersOf(body, [
    "version",
    "feeUnits",
    "ttl",
    "until",
    "inputs",
    "outputs",
  ]);
  if (version !== bodyVersion) throw new DraftRefused("a draft of an unknown version");
  const draft = {
    inputs: listOf(inputs, "inputs").map((value) => readInput(value, unitsMax)),
    outputs: listOf(outputs, "outputs").map((value) => readOutput(value, unitsMax)),
    feeUnits: readUnits(feeUnits, unitsMax),
    ttl: numberBelow(ttl, slotEnd, "the end of its validity"),
    until: numberBelow(until, Number.MAX_SAFE_INTEGER, "the time of that end"),
  };
  const claims = draft.inputs.map(claimOf);
  if (new Set(claims).size !== claims.length) throw new DraftRefused("a coin is spent twice");
  return draft;
}

/** The outpoint as claims name it: `txid:index`. */
export function claimOf({ index, txid }: DraftInput): string {
  return `${txid}:${index}`;
}

function readInput(value: JsonValue, unitsMax: bigint): DraftInput {
  const input = membersOf(value, ["txid", "index", "units", "branch", "keyIndex"]);
  const branch = input["branch"];
  if (branch !== 0 && branch !== 1) throw new DraftRefused("an input is on no branch of ours");
  return {
    txid: matched(input["txid"], /^[0-9a-f]{64}$/, "a transaction's id"),
    index: numberBelow(input["index"], indexEnd, "an output's number"),
    units: readUnits(input["units"], unitsMax),
    branch,
    keyIndex: numberBelow(input["keyIndex"], keyIndexEnd, "a key's number"),
  };
}

function readOutput(value: JsonValue, unitsMax: bigint): DraftOutput {
  const output = membersOf(value, ["address", "units", "assets", "change"]);
  const change = output["change"];
  return {
    address: matched(output["address"], /^[0-9A-Za-z_]{1,200}$/, "an address"),
    units: readUnits(output["units"], unitsMax),
    assets: readAssets(output["assets"]),
    change:
      change === null
        ? null
        : numberBelow(membersOf(change, ["keyIndex"])["keyIndex"], keyIndexEnd, "a key's number"),
  };
}

function readAssets(value: JsonValue | undefined): readonly DraftAsset[] {
  if (!isObject(value)) throw new DraftRefused("an output's tokens are missing");
  return Object.entries(value).map(([asset, units]) => ({
    asset: matched(asset, /^[0-9a-f]{56}(?:\.(?:[0-9a-f]{2}){1,32})?$/, "a token"),
    units: readUnits(units, 2n ** 63n),
  }));
}

function readUnits(value: JsonValue | undefined, unitsMax: bigint): bigint {
  const units = BigInt(matched(value, /^[1-9]\d{0,19}$/, "an amount"));
  if (units > unitsMax) throw new DraftRefused("an amount above the supply");
  return units;
}

/** The value's members, which must be exactly these. */
function membersOf(value: JsonValue | undefined, names: readonly string[]): JsonObject {
  if (!isObject(value)) throw new DraftRefused("a part of the draft is missing");
  const found = Object.keys(value);
  if (found.length !== names.length || !names.every((name) => Object.hasOwn(value, name)))
    throw new DraftRefused(`has the members ${found.join()} instead of ${names.join()}`);
  return value;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listOf(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  if (!Array.isArray(value) || value.length === 0) throw new DraftRefused(`no ${name}`);
  return value as readonly JsonValue[];
}

function numberBelow(value: JsonValue | undefined, end: number, what: string): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value >= end)
    throw new DraftRefused(`${what} is out of range`);
  return value;
}

function matched(value: JsonValue | undefined, pattern: RegExp, what: string): string {
  if (typeof value !== "string" || !pattern.test(value))
    throw new DraftRefused(`${what} is malformed`);
  return value;
}
