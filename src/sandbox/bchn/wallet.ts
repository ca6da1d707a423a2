import {
  CashAddressType,
  encodeCashAddress,
} from "@bitauth/libauth/build/lib/address/cash-address.js";
import {
  generateSigningSerializationBCH,
  SigningSerializationType,
} from "@bitauth/libauth/build/lib/vm/instruction-sets/common/signing-serialization.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { hexToBytes } from "@noble/hashes/utils.js";
import { assert, present } from "../../platform/kernel/assert.ts";
import type { LedgerRules } from "../utxo-ledger/rules.ts";
import { decode, encode, outpointOf, outputOf } from "./codec.ts";

export const prefix = "bchreg";
/** Version, lock time and counts; an input with a DER signature at its longest; an output to a key. */
const frameSize = 12n;
const inputSize = 149n;
const outputSize = 34n;
const finalSequence = 0xffffffff;

/** The faucet signs with libauth's digest (SIGHASH_ALL | SIGHASH_FORKID), which is not the service's own. */
export const wallet: LedgerRules["wallet"] = {
  addressOfKey: (privateKey) => {
    const payload = ripemd160(sha256(secp256k1.getPublicKey(privateKey)));
    return encodeCashAddress({ payload, prefix, type: CashAddressType.p2pkh }).address;
  },
  feeUnits: (inputs, outputs) =>
    2n * (frameSize + inputSize * BigInt(inputs) + outputSize * BigInt(outputs)),
  compose: ({ outputs, spends }) =>
    encode({
      version: 2,
      locktime: 0,
      inputs: spends.map(({ outpoint, sequence }) => {
        const [txid = "", vout = ""] = outpoint.split(":");
        return {
          outpointTransactionHash: hexToBytes(txid),
          outpointIndex: Number(vout),
          sequenceNumber: sequence ?? finalSequence,
          unlockingBytecode: new Uint8Array(),
        };
      }),
      outputs: outputs.map(({ script, units }) => ({
        valueSatoshis: units,
        lockingBytecode: hexToBytes(script),
      })),
    }),
  sign: (transaction, lend) => {
    const decoded = decode(transaction);
    const keys = decoded.inputs.map((input) => lend(outpointOf(input)));
    const sourceOutputs = keys.map((key) =>
      key === null ? { valueSatoshis: 0n, lockingBytecode: new Uint8Array() } : outputOf(key.coin),
    );
    const inputs = decoded.inputs.map((input, inputIndex) => {
      const key = keys[inputIndex] ?? null;
      if (key === null) return input;
      const digest = sha256(
        sha256(
          generateSigningSerializationBCH(
            { inputIndex, sourceOutputs, transaction: decoded },
            {
              coveredBytecode: present(sourceOutputs[inputIndex], "its coin").lockingBytecode,
              signingSerializationType: Uint8Array.of(SigningSerializationType.allOutputs),
            },
          ),
        ),
      );
      const der = secp256k1.sign(digest, key.privateKey, { prehash: false, format: "der" });
      const signature = Uint8Array.from([...der, SigningSerializationType.allOutputs]);
      const publicKey = secp256k1.getPublicKey(key.privateKey);
      assert(signature.length < 76, "a signature that one byte pushes");
      const unlockingBytecode = Uint8Array.from([
        ...[signature.length, ...signature],
        ...[publicKey.length, ...publicKey],
      ]);
      return { ...input, unlockingBytecode };
    });
    return encode({ ...decoded, inputs });
  },
};
