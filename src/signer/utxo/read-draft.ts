import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { isObject, listOf, matched, membersOf, numberBelow, unitsOf } from "../coins/body-parts.ts";
import { DraftRefused } from "../draft-signer.ts";
import type { AddressType, UtxoNetwork } from "./utxo-network.ts";

/* Reads a draft's body strictly, since an ignored part could mean something elsewhere. */

/** A key of ours: `account/branch/keyIndex` of the address type's account. */
export type OwnKey = {
  readonly addressType: AddressType;
  readonly branch: 0 | 1;
  readonly keyIndex: number;
};

export type DraftInput = OwnKey & {
  readonly txid: string;
  readonly vout: number;
  readonly units: bigint;
};

/** `change` is the key of ours that the output claims to pay; null for a payment. */
export type DraftOutput = {
  readonly address: string;
  readonly units: bigint;
  readonly change: OwnKey | null;
};

export type UtxoDraft = {
  readonly inputs: readonly DraftInput[];
  readonly outputs: readonly DraftOutput[];
  /** Transactions that inputs come from, by id, in the plain format. */
  readonly previous: ReadonlyMap<string, Uint8Array>;
  /** For which rules it is signed, and until when; null where transactions state neither. */
  readonly consensus: Consensus | null;
};

/** ZIP-200: the rules under which it is valid, eight hex digits. ZIP-203: the last block that may contain it. */
export type Consensus = { readonly branchId: string; readonly expiryHeight: number };

const bodyVersion = 1;
const keyIndexEnd = 2 ** 31;
const voutEnd = 2 ** 32;
/** `TX_EXPIRY_HEIGHT_THRESHOLD` of the protocol. */
const expiryHeightEnd = 500_000_000;

/** What a draft of the network may contain. */
type Bounds = Pick<UtxoNetwork, "addressTypes" | "signatureHash" | "unitsMax">;

/** Throws `DraftRefused` for anything but a draft as the adapter writes it. */
export function readDraft(body: JsonObject, bounds: Bounds): UtxoDraft {
  const hasConsensus = bounds.signatureHash === "zip244";
  const { consensus, inputs, outputs, previous, version } = membersOf(body, [
    ...["version", "inputs", "outputs", "previous"],
    ...(hasConsensus ? ["consensus"] : []),
  ]);
  if (version !== bodyVersion) throw new DraftRefused("a draft of an unknown version");
  const draft = {
    inputs: listOf(inputs, "inputs").map((value) => readInput(value, bounds)),
    outputs: listOf(outputs, "outputs").map((value) => readOutput(value, bounds)),
    previous: readPrevious(previous),
    consensus: hasConsensus ? readConsensus(consensus) : null,
  };
  const claims = draft.inputs.map(claimOf);
  if (new Set(claims).size !== claims.length) throw new DraftRefused("a coin is spent twice");
  return draft;
}

/** The outpoint as claims name it: `txid:vout`. */
export function claimOf({ txid, vout }: DraftInput): string {
  return `${txid}:${vout}`;
}

function readInput(value: JsonValue, bounds: Bounds): DraftInput {
  const input = membersOf(value, ["txid", "vout", "units", "addressType", "branch", "keyIndex"]);
  const branch = input["branch"];
  if (branch !== 0 && branch !== 1) throw new DraftRefused("an input is on no branch of ours");
  return {
    txid: matched(input["txid"], /^[0-9a-f]{64}$/, "a transaction's id"),
    vout: numberBelow(input["vout"], voutEnd, "an output's number"),
    units: unitsOf(input["units"], BigInt(bounds.unitsMax)),
    addressType: readAddressType(input["addressType"], bounds),
    branch,
    keyIndex: numberBelow(input["keyIndex"], keyIndexEnd, "a key's number"),
  };
}

function readOutput(value: JsonValue, bounds: Bounds): DraftOutput {
  const output = membersOf(value, ["address", "units", "change"]);
  return {
    address: matched(output["address"], /^[0-9A-Za-z:]{1,90}$/, "an address"),
    units: unitsOf(output["units"], BigInt(bounds.unitsMax)),
    change: output["change"] === null ? null : readChange(output["change"], bounds),
  };
}

function readChange(value: JsonValue | undefined, bounds: Bounds): OwnKey {
  const change = membersOf(value, ["addressType", "keyIndex"]);
  return {
    addressType: readAddressType(change["addressType"], bounds),
    branch: 1,
    keyIndex: numberBelow(change["keyIndex"], keyIndexEnd, "a key's number"),
  };
}

/** A transaction that never expires could be mined long after its payout was made in another way. */
function readConsensus(value: JsonValue | undefined): Consensus {
  const consensus = membersOf(value, ["branchId", "expiryHeight"]);
  const expiryHeight = numberBelow(consensus["expiryHeight"], expiryHeightEnd, "an expiry height");
  if (expiryHeight === 0) throw new DraftRefused("the transaction would never expire");
  return {
    branchId: matched(consensus["branchId"], /^[0-9a-f]{8}$/, "a consensus branch id"),
    expiryHeight,
  };
}

function readPrevious(value: JsonValue | undefined): ReadonlyMap<string, Uint8Array> {
  if (!isObject(value)) throw new DraftRefused("missing previous transactions");
  return new Map(
    Object.entries(value).map(([txid, hex]) => [
      txid,
      Buffer.from(matched(hex, /^(?:[0-9a-f]{2})+$/, "a previous transaction"), "hex"),
    ]),
  );
}

function readAddressType(value: JsonValue | undefined, { addressTypes }: Bounds): AddressType {
  const type = addressTypes.find((name) => name === value);
  if (type === undefined) throw new DraftRefused("an address type for which we have no keys");
  return type;
}
