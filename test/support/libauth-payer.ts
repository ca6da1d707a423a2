import {
  encodeTransactionBCH,
  generateTransaction,
  hash160,
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
