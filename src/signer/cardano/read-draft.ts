import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { isObject, listOf, matched, membersOf, numberBelow, unitsOf } from "../coins/body-parts.ts";
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
    feeUnits: unitsOf(feeUnits, unitsMax),
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
    units: unitsOf(input["units"], unitsMax),
    branch,
    keyIndex: numberBelow(input["keyIndex"], keyIndexEnd, "a key's number"),
  };
}

function readOutput(value: JsonValue, unitsMax: bigint): DraftOutput {
  const output = membersOf(value, ["address", "units", "assets", "change"]);
  const change = output["change"];
  return {
    address: matched(output["address"], /^[0-9A-Za-z_]{1,200}$/, "an address"),
    units: unitsOf(output["units"], unitsMax),
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
    units: unitsOf(units, 2n ** 63n),
  }));
}
