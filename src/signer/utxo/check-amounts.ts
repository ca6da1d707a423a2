import { sha256 } from "@noble/hashes/sha2.js";
import { RawOldTx } from "@scure/btc-signer/script.js";
import { DraftRefused } from "../draft-signer.ts";
import type { DraftInput, UtxoDraft } from "./read-draft.ts";
import type { UtxoNetwork } from "./utxo-network.ts";

/**
 * Throws `DraftRefused` unless the inputs are certain to hold what the draft says. Either the signatures guarantee it: a
 * taproot signature covers the amounts and scripts of all inputs (BIP-341), a segwit one the amount of its own input (BIP-143).
 * So taproot suffices where every input is said to be taproot, and segwit for a transaction with one input. Or the draft contains
 * the transactions that the inputs come from. Several segwit inputs do not suffice: asked twice, with a lie about another input
 * each time, a signer would make signatures that fit together and burn what both lies hid. Nor does a taproot input beside
 * others, since its type is the draft's own claim: a coin that is segwit in fact needs no taproot signature, so the one that
 * would show the lie is thrown away. Signatures of ZIP-244 cover the amounts and scripts of all inputs, those with a fork's id
 * only their own amount, as segwit's.
 */
export function checkAmounts(
  draft: UtxoDraft,
  scripts: readonly Uint8Array[],
  { signatureHash, transactionFormat }: Pick<UtxoNetwork, "signatureHash" | "transactionFormat">,
): void {
  const { consensus, inputs, previous } = draft;
  if (consensus !== null) return;
  if (inputs.every(({ addressType }) => addressType === "bech32m")) return;
  const isAmountSigned = signatureHash === "forkid" || inputs.some(isSegwit);
  if (inputs.length === 1 && isAmountSigned) return;
  const proven = new Map<string, ReturnType<typeof outputsOf>>();
  const isTyped = transactionFormat === "typed";
  for (const [txid, bytes] of previous) proven.set(txid, outputsOf(txid, bytes, isTyped));
  inputs.forEach((input, index) => {
    checkInput(input, scripts[index], proven.get(input.txid));
  });
}

function isSegwit({ addressType }: DraftInput): boolean {
  return addressType !== "" && addressType !== "legacy";
}

function checkInput(
  { txid, units, vout }: DraftInput,
  script: Uint8Array | undefined,
  outputs: ReturnType<typeof outputsOf> | undefined,
): void {
  const output = outputs?.[vout];
  if (output === undefined)
    throw new DraftRefused(`the draft does not show the transaction that made ${txid}:${vout}`);
  if (output.amount !== units)
    throw new DraftRefused(`${txid}:${vout} has ${output.amount} units, not ${units}`);
  if (script === undefined || !Buffer.from(output.script).equals(script))
    throw new DraftRefused(`${txid}:${vout} does not belong to the key that the draft names`);
}

/** A payload behind the lock time is part of what is hashed into the id, and changes nothing about the outputs before it. */
function outputsOf(
  txid: string,
  bytes: Uint8Array,
  mayHavePayload: boolean,
): readonly { readonly amount: bigint; readonly script: Uint8Array }[] {
  const id = Buffer.from(sha256(sha256(bytes)))
    .reverse()
    .toString("hex");
  if (id !== txid) throw new DraftRefused(`the transaction shown as ${txid} is ${id}`);
  try {
    return RawOldTx.decode(bytes, { allowUnreadBytes: mayHavePayload }).outputs;
  } catch {
    throw new DraftRefused(`the data shown as ${txid} is not a transaction`);
  }
}
