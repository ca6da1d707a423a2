import {
  base58AddressToLockingBytecode,
  binToHex,
  cashAddressToLockingBytecode,
  decodeTransactionBCH,
  encodeTransactionBCH,
  generateTransaction,
  hash160,
  hashTransaction,
  hexToBin,
  importWalletTemplate,
  lockingBytecodeToCashAddress,
  type Output,
  secp256k1,
  type TransactionTemplateFixed,
  walletTemplateP2pkhNonHd,
  walletTemplateToCompilerBCH,
} from "@bitauth/libauth";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { OutsidePayer } from "./outside-payer.ts";

type Compiler = ReturnType<typeof walletTemplateToCompilerBCH>;

/** A coin of the wallet, as a node lists it. */
export type LibauthCoin = {
  readonly txid: string;
  readonly vout: number;
  readonly units: bigint;
  readonly token?: Output["token"];
};

/** A wallet of one key, which libauth builds and signs for, as its authors published it. */
export type LibauthWallet = {
  readonly address: string;
  /** Raw transaction in hex; the outputs as libauth takes them. */
  readonly spend: (
    coins: readonly LibauthCoin[],
    outputs: readonly {
      readonly script: string;
      readonly units: bigint;
      readonly token?: Output["token"];
    }[],
    options?: { readonly sequence?: number; readonly version?: number },
  ) => string;
};

/** A wallet with a random key on the regtest network. */
export function createLibauthWallet(): LibauthWallet {
  const privateKey = systemRandom.bytes(32);
  const publicKey = secp256k1.derivePublicKeyCompressed(privateKey);
  if (typeof publicKey === "string") throw new Error(publicKey);
  const template = importWalletTemplate(walletTemplateP2pkhNonHd);
  if (typeof template === "string") throw new Error(template);
  const compiler: Compiler = walletTemplateToCompilerBCH(template);
  const keys = { keys: { privateKeys: { key: privateKey } } };
  const encoded = lockingBytecodeToCashAddress({
    bytecode: Uint8Array.from([0x76, 0xa9, 20, ...hash160(publicKey), 0x88, 0xac]),
    prefix: "bchreg",
  });
  if (typeof encoded === "string") throw new Error(encoded);
  return {
    address: encoded.address,
    spend: (coins, outputs, { sequence = 0xffffffff, version = 2 } = {}) => {
      const request: TransactionTemplateFixed<Compiler> = {
        version,
        locktime: 0,
        inputs: coins.map(({ token, txid, units, vout }) => ({
          outpointTransactionHash: hexToBin(txid),
          outpointIndex: vout,
          sequenceNumber: sequence,
          unlockingBytecode: {
            compiler,
            data: keys,
            script: "unlock",
            valueSatoshis: units,
            ...(token === undefined ? {} : { token }),
          },
        })),
        outputs: outputs.map(({ script, token, units }) => ({
          lockingBytecode: hexToBin(script),
          valueSatoshis: units,
          ...(token === undefined ? {} : { token }),
        })),
      };
      const generated = generateTransaction(request);
      if (!generated.success) throw new Error(JSON.stringify(generated.errors));
      return Buffer.from(encodeTransactionBCH(present(generated.transaction, "it"))).toString(
        "hex",
      );
    },
  };
}

/** The same wallet as a payer of the tests that run on every coin. */
export function libauthPayer(): OutsidePayer {
  const wallet = createLibauthWallet();
  const scriptOf = (address: string): string => {
    const decoded = address.includes(":")
      ? cashAddressToLockingBytecode(address)
      : base58AddressToLockingBytecode(address);
    if (typeof decoded === "string") throw new Error(decoded);
    return binToHex(decoded.bytecode);
  };
  const own = scriptOf(wallet.address);
  return {
    address: wallet.address,
    idOf: (raw) => hashTransaction(hexToBin(raw)),
    spend: (funding, outputs, feeUnits) => {
      const previous = decodeTransactionBCH(hexToBin(funding));
      if (typeof previous === "string") throw new Error(previous);
      const vout = previous.outputs.findIndex(
        ({ lockingBytecode }) => binToHex(lockingBytecode) === own,
      );
      const units = present(previous.outputs[vout], "an output to the payer").valueSatoshis;
      const rest = outputs.reduce((left, output) => left - output.units, units - feeUnits);
      const paid = outputs.map((output) => ({
        script: scriptOf(output.address),
        units: output.units,
      }));
      const change = rest > 0n ? [{ script: own, units: rest }] : [];
      const txid = hashTransaction(hexToBin(funding));
      return Promise.resolve(wallet.spend([{ txid, vout, units }], [...paid, ...change]));
    },
  };
}
