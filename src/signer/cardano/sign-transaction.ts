import { blake2b } from "@noble/hashes/blake2.js";
import type { ExtendedEd25519Key } from "../keys/bip32-ed25519.ts";
import { bytesOfAddress } from "./address.ts";
import type { CardanoNetwork } from "./cardano-network.ts";
import {
  type Cbor,
  cborBytes,
  cborInteger,
  cborList,
  cborMap,
  cborNull,
  cborSet,
  cborTrue,
} from "./cbor.ts";
import type { CardanoDraft, DraftAsset, DraftOutput } from "./read-draft.ts";

/** Keys of a transaction's body (Conway's CDDL). */
const bodyKeys = { inputs: 0, outputs: 1, fee: 2, ttl: 3, network: 15 } as const;

/** Makes and signs the transaction that the draft describes, with each key once. It has no scripts, certificates or minted tokens. */
export function signTransaction(
  draft: CardanoDraft,
  network: CardanoNetwork,
  keys: readonly ExtendedEd25519Key[],
): { readonly txid: string; readonly raw: Uint8Array } {
  const body = encodeBody(draft, network);
  const id = blake2b(body, { dkLen: 32 });
  const signatures = keys.map((key) =>
    cborList([cborBytes(key.publicKey), cborBytes(key.sign(id))]),
  );
  const witnesses = cborMap([[cborInteger(0), cborSet(signatures)]]);
  return {
    txid: Buffer.from(id).toString("hex"),
    raw: cborList([body, witnesses, cborTrue, cborNull]),
  };
}

function encodeBody(
  { feeUnits, inputs, outputs, ttl }: CardanoDraft,
  network: CardanoNetwork,
): Cbor {
  const spent = inputs.map(({ index, txid }) =>
    cborList([cborBytes(Buffer.from(txid, "hex")), cborInteger(index)]),
  );
  const made = outputs.map((output) => encodeOutput(output, network));
  return cborMap([
    [cborInteger(bodyKeys.inputs), cborSet(spent)],
    [cborInteger(bodyKeys.outputs), cborList(made)],
    [cborInteger(bodyKeys.fee), cborInteger(feeUnits)],
    [cborInteger(bodyKeys.ttl), cborInteger(ttl)],
    // Otherwise a key that is used on two networks would sign for both.
    [cborInteger(bodyKeys.network), cborInteger(network.keys === "main" ? 1 : 0)],
  ]);
}

function encodeOutput({ address, assets, units }: DraftOutput, network: CardanoNetwork): Cbor {
  const coin = cborInteger(units);
  return cborMap([
    [cborInteger(0), cborBytes(bytesOfAddress(address, network))],
    [cborInteger(1), assets.length === 0 ? coin : cborList([coin, encodeAssets(assets)])],
  ]);
}

/** By policy and name, the shorter names first, as canonical CBOR sorts keys. */
function encodeAssets(assets: readonly DraftAsset[]): Cbor {
  const parts = assets.map(({ asset, units }) => {
    const [policy = "", name = ""] = asset.split(".");
    return { policy, name, units };
  });
  const policies = Map.groupBy(parts.toSorted(byPolicyAndName), ({ policy }) => policy);
  return cborMap(
    [...policies].map(([policy, held]) => [
      cborBytes(Buffer.from(policy, "hex")),
      cborMap(
        held.map(({ name, units }) => [cborBytes(Buffer.from(name, "hex")), cborInteger(units)]),
      ),
    ]),
  );
}

type Named = { readonly policy: string; readonly name: string };

function byPolicyAndName(one: Named, other: Named): number {
  if (one.policy !== other.policy) return one.policy < other.policy ? -1 : 1;
  if (one.name.length !== other.name.length) return one.name.length - other.name.length;
  return one.name < other.name ? -1 : 1;
}
