import {
  type Clock,
  type Instant,
  instantFromSeconds,
  microsPerSecond,
  secondsBetween,
} from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { type Expected, expectedPayments, integerOf } from "../coins/expected-payments.ts";
import { DraftRefused, type DraftSigner, type ExtendedEd25519Keys } from "../draft-signer.ts";
import { cardanoAccount } from "../keys/account-paths.ts";
import { addressOfKey, bytesOfAddress } from "./address.ts";
import type { CardanoNetwork } from "./cardano-network.ts";
import { type CardanoDraft, claimOf, readDraft } from "./read-draft.ts";
import { signTransaction } from "./sign-transaction.ts";

export type CardanoDraftSignerOptions = {
  /** The alpha code of the chain's coin. */
  readonly chain: string;
  readonly network: CardanoNetwork;
  /** The cold address; null for none. */
  readonly coldAddress: string | null;
  readonly clock: Clock;
};

/** A transaction that is valid for longer could be mined long after its payout was made in another way. */
const validSecondsMax = 24 * 3_600;

/**
 * Signs payouts, consolidations and cold transfers of Cardano. Every output is either a payment of the intent, in ada alone, or pays our own change
 * branch (CIP-1852), which gets all tokens. The transaction states its fee, and the ledger accepts it only if inputs equal outputs and fee in
 * every asset, so what the inputs hold need not be proven here. Throws `RangeError` for a cold address of another network.
 */
export function createCardanoDraftSigner(
  options: CardanoDraftSignerOptions,
): DraftSigner<ExtendedEd25519Keys> {
  const { chain, clock, coldAddress, network } = options;
  if (coldAddress !== null) assertCold(coldAddress, network);
  const account = cardanoAccount(network.keys);
  const unitsMax = BigInt(network.unitsMax);
  return {
    chain,
    inspect: (body, intent, keys) => {
      if (intent.chain !== chain) throw new DraftRefused(`this signer is for ${chain}`);
      const draft = readDraft(body, unitsMax);
      checkOutputs(draft, expectedPayments(intent, coldAddress), network, (keyIndex) =>
        addressAt(keys, `${account}/1/${keyIndex}`, network),
      );
      checkSum(draft);
      const { feeUnits } = draft;
      if (feeUnits > integerOf(intent.feeCeiling))
        throw new DraftRefused(`burns ${feeUnits}, above ${intent.feeCeiling}`);
      const until = endOf(draft, network, clock);
      return { claims: draft.inputs.map(claimOf), feeUnits, validity: { kind: "time", until } };
    },
    sign: (body: JsonObject, keys) => {
      const draft = readDraft(body, unitsMax);
      const paths = draft.inputs.map(({ branch, keyIndex }) => `${account}/${branch}/${keyIndex}`);
      const lent = [...new Set(paths)].map((path) => keys.extendedEd25519At(path));
      try {
        return signTransaction(draft, network, lent);
      } finally {
        for (const key of lent) key.wipe();
      }
    },
  };
}

/** Each expected payment is one output without tokens, and every other output is our change. */
function checkOutputs(
  { outputs }: CardanoDraft,
  expected: readonly Expected[],
  network: CardanoNetwork,
  changeAt: (keyIndex: number) => Uint8Array,
): void {
  const spell = ({ address, units }: Expected): string =>
    `${Buffer.from(bytesOfAddress(address, network)).toString("hex")} ${units}`;
  const open = expected.map(spell);
  for (const output of outputs) {
    const { address, assets, change, units } = output;
    if (change === null) {
      const at = open.indexOf(spell(output));
      if (at === -1) throw new DraftRefused(`pays ${units} to ${address}, which is not intended`);
      if (assets.length > 0) throw new DraftRefused(`pays tokens to ${address}`);
      open.splice(at, 1);
      continue;
    }
    if (!Buffer.from(changeAt(change)).equals(bytesOfAddress(address, network)))
      throw new DraftRefused(`${address} is not the change address that the draft names`);
  }
  if (open.length > 0) throw new DraftRefused(`leaves out ${open.length} of the payments`);
}

/** The ledger would refuse it, but only after it is in the journal. */
function checkSum({ feeUnits, inputs, outputs }: CardanoDraft): void {
  const sum = (parts: readonly { readonly units: bigint }[]): bigint =>
    parts.reduce((rest, { units }) => rest + units, 0n);
  if (sum(inputs) !== sum(outputs) + feeUnits)
    throw new DraftRefused("inputs are not equal to outputs and fee");
}

/** The end of its validity, of which the public networks' slots say the time. */
function endOf({ ttl, until }: CardanoDraft, { slotZero }: CardanoNetwork, clock: Clock): Instant {
  const end = instantFromSeconds(until / microsPerSecond);
  if (slotZero === null) return end;
  if (end !== instantFromSeconds(slotZero + ttl))
    throw new DraftRefused(`slot ${ttl} is not at the time that the draft names`);
  if (secondsBetween(clock.now(), end) > validSecondsMax)
    throw new DraftRefused("is valid for more than a day");
  return end;
}

function addressAt(keys: ExtendedEd25519Keys, path: string, network: CardanoNetwork): Uint8Array {
  const key = keys.extendedEd25519At(path);
  try {
    return addressOfKey(key.publicKey, network);
  } finally {
    key.wipe();
  }
}

function assertCold(address: string, network: CardanoNetwork): void {
  try {
    bytesOfAddress(address, network);
  } catch (error) {
    if (!(error instanceof DraftRefused)) throw error;
    throw new RangeError(`the cold address ${error.message}`);
  }
}
