import { secp256k1 } from "@noble/curves/secp256k1.js";
import { RawTx, Script } from "@scure/btc-signer";

/**
 * The transaction with another valid signature of its first input, which spends a key's output: s becomes n - s, as any miner can do. Its
 * id is another one.
 */
export function alterSignature(raw: Uint8Array): Uint8Array {
  const transaction = RawTx.decode(raw);
  const [input] = transaction.inputs;
  const pushed = Script.decode(input!.finalScriptSig as Uint8Array);
  const [signature, publicKey] = pushed as [Uint8Array, Uint8Array];
  const { r, s } = secp256k1.Signature.fromBytes(signature.slice(0, -1), "der");
  const { n } = secp256k1.Point.CURVE();
  const other = new secp256k1.Signature(r, n - s).toBytes("der");
  const finalScriptSig = Script.encode([Uint8Array.from([...other, 1]), publicKey]);
  return RawTx.encode({
    ...transaction,
    inputs: [{ ...input!, finalScriptSig }, ...transaction.inputs.slice(1)],
  });
}
