import { secp256k1 } from "@bitauth/libauth/build/lib/crypto/default-crypto-instances.js";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { LedgerRules } from "../utxo-ledger/rules.ts";
import { addressOfScript, hash160 } from "./addresses.ts";
import { marginalFee } from "./checks.ts";
import { decode, encode } from "./codec.ts";
import { sighash } from "./digest.ts";
import { type Upgrade, upgradeAt } from "./upgrades.ts";

/** As zcashd's wallet: so many blocks after the next one. */
const expiryDelta = 40;
const allOutputs = 1;

/** The faucet writes transactions of version 5 and signs them with libauth's secp256k1, which is not the service's own. */
export function walletFor(upgrades: readonly Upgrade[]): LedgerRules["wallet"] {
  const branchAt = (height: number): number =>
    Number.parseInt(present(upgradeAt(upgrades, height), "an upgrade").branchId, 16);
  return {
    addressOfKey: (privateKey) =>
      present(
        addressOfScript(`76a914${hash160(publicKeyOf(privateKey))}88ac`),
        "an address of a key",
      ),
    feeUnits: (inputs, outputs) => marginalFee * BigInt(Math.max(2, inputs, outputs)),
    compose: ({ height, outputs, spends }) => {
      const next = upgrades.find((upgrade) => upgrade.height > height)?.height ?? Infinity;
      return encode({
        version: 5,
        branch: branchAt(height),
        lockTime: 0,
        expiryHeight: Math.min(height + expiryDelta, next - 1),
        inputs: spends.map(({ outpoint, sequence }) => {
          const [txid = "", vout = ""] = outpoint.split(":");
          return { txid, vout: Number(vout), scriptSig: "", sequence: sequence ?? 0xffffffff };
        }),
        outputs,
      });
    },
    sign: (transaction, lend, height) => {
      const decoded = decode(transaction);
      const keys = decoded.inputs.map(({ txid, vout }) => lend(`${txid}:${vout}`));
      // A signature covers all coins, also those of others.
      const coins = keys.map((key) => key?.coin ?? { units: 0n, script: "" });
      const inputs = decoded.inputs.map((input, index) => {
        const key = keys[index] ?? null;
        if (key === null) return input;
        const digest = sighash(decoded, coins, index, branchAt(height));
        const der = secp256k1.signMessageHashDER(key.privateKey, digest);
        assert(typeof der !== "string", "a signature");
        const signature = Buffer.of(...der, allOutputs);
        const publicKey = publicKeyOf(key.privateKey);
        const scriptSig = Buffer.of(signature.length, ...signature, publicKey.length, ...publicKey);
        return { ...input, scriptSig: scriptSig.toString("hex") };
      });
      return encode({ ...decoded, inputs });
    },
  };
}

function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  const publicKey = secp256k1.derivePublicKeyCompressed(privateKey);
  assert(typeof publicKey !== "string", "a private key");
  return publicKey;
}
