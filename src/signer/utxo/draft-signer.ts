import { present } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { type Expected, expectedPayments, integerOf } from "../coins/expected-payments.ts";
import { DraftRefused, type DraftSigner, type KeyRing } from "../draft-signer.ts";
import type { SpendIntent } from "../intent.ts";
import { checkAmounts } from "./check-amounts.ts";
import { keyPath, ownScript, scriptOfAddress } from "./own-script.ts";
import { claimOf, type DraftInput, readDraft, type UtxoDraft } from "./read-draft.ts";
import { signWithForkId } from "./sign-fork-id.ts";
import { type SigningInput, signTransaction } from "./sign-transaction.ts";
import { signV5 } from "./sign-v5.ts";
import type { UtxoNetwork } from "./utxo-network.ts";

export type UtxoDraftSignerOptions = {
  /** The alpha code of the chain's coin. */
  readonly chain: string;
  readonly network: UtxoNetwork;
  /** The cold address; null for none. */
  readonly coldAddress: string | null;
};

const transactionVersion = 2;
/** Replaceable by a higher fee (BIP-125), without a relative lock time (BIP-68). */
const replaceableSequence = 0xfffffffd;
const finalSequence = 0xffffffff;

/**
 * Signs payouts, consolidations and cold transfers of one chain of the Bitcoin family. All inputs belong to our keys, every
 * output is either a payment of the intent or change to our own change branch (BIP-44), and the rest is the fee. Throws
 * `RangeError` for a cold address of another network.
 */
export function createUtxoDraftSigner(options: UtxoDraftSignerOptions): DraftSigner<KeyRing> {
  const { chain, coldAddress, network } = options;
  if (coldAddress !== null) assertAddress(network, coldAddress);
  return {
    chain,
    inspect: (body, intent, keys) => {
      if (intent.chain !== chain) throw new DraftRefused(`this signer is for ${chain}`);
      const draft = checkedDraft(body, network, keys);
      checkOutputs(draft, expectedPayments(intent, coldAddress), network, keys);
      const feeUnits = sumOf(draft.inputs) - sumOf(draft.outputs);
      if (feeUnits < 0n) throw new DraftRefused("the outputs exceed the inputs");
      if (feeUnits > ceilingOf(intent))
        throw new DraftRefused(`burns ${feeUnits}, above ${intent.feeCeiling}`);
      const claims = draft.inputs.map(claimOf);
      if (draft.consensus === null) return { claims, feeUnits };
      const last = draft.consensus.expiryHeight;
      return { claims, feeUnits, validity: { kind: "height", last } };
    },
    sign: (body, keys) => {
      const { consensus, inputs, outputs } = checkedDraft(body, network, keys);
      const lent: SigningInput[] = [];
      try {
        for (const input of inputs) lent.push(withKey(input, network, keys));
        const unsigned = {
          lockTime: 0,
          inputs: lent,
          outputs: outputs.map(({ address, units }) => ({
            script: scriptOfAddress(network, address),
            units,
          })),
        };
        if (consensus !== null) return signV5(unsigned, consensus);
        const versioned = { ...unsigned, version: transactionVersion };
        return network.signatureHash === "forkid"
          ? signWithForkId(versioned)
          : signTransaction(versioned);
      } finally {
        for (const { privateKey } of lent) privateKey.fill(0);
      }
    },
  };
}

/** Reads the body and verifies the amounts and keys of its inputs. */
function checkedDraft(body: JsonObject, network: UtxoNetwork, keys: KeyRing): UtxoDraft {
  const draft = readDraft(body, network);
  const scripts = draft.inputs.map((input) => ownScript(keys, network, input));
  checkAmounts(draft, scripts, network);
  return draft;
}

/** Each expected payment is one output, and every other output is our change. */
function checkOutputs(
  { outputs }: UtxoDraft,
  expected: readonly Expected[],
  network: UtxoNetwork,
  keys: KeyRing,
): void {
  const open = expected.map((payment) => spell(network, payment));
  for (const output of outputs) {
    if (output.change === null) {
      const at = open.indexOf(spell(network, output));
      if (at === -1)
        throw new DraftRefused(`pays ${output.units} to ${output.address}, which is not intended`);
      open.splice(at, 1);
      continue;
    }
    const script = scriptOfAddress(network, output.address);
    if (!Buffer.from(ownScript(keys, network, output.change)).equals(script))
      throw new DraftRefused(`${output.address} is not the change address that the draft names`);
  }
  if (open.length > 0) throw new DraftRefused(`leaves out ${open.length} of the payments`);
}

/** Script and amount: what is really paid. */
function spell(network: UtxoNetwork, { address, units }: Expected): string {
  return `${Buffer.from(scriptOfAddress(network, address)).toString("hex")} ${units}`;
}

function withKey(input: DraftInput, network: UtxoNetwork, keys: KeyRing): SigningInput {
  const key = keys.at(keyPath(network, input));
  try {
    return {
      txid: input.txid,
      vout: input.vout,
      units: input.units,
      sequence: network.replacement ? replaceableSequence : finalSequence,
      addressType: input.addressType,
      publicKey: present(key.publicKey, "a key has a public key"),
      // A copy, so that only this one has to be wiped.
      privateKey: present(key.privateKey, "a key of the ring can sign"),
    };
  } finally {
    key.wipePrivateData();
  }
}

function sumOf(parts: readonly { readonly units: bigint }[]): bigint {
  return parts.reduce((sum, { units }) => sum + units, 0n);
}

function ceilingOf({ feeCeiling }: SpendIntent): bigint {
  return integerOf(feeCeiling);
}

function assertAddress(network: UtxoNetwork, address: string): void {
  try {
    scriptOfAddress(network, address);
  } catch (error) {
    if (!(error instanceof DraftRefused)) throw error;
    throw new RangeError(`the cold address ${error.message}`);
  }
}
