import { bech32 } from "@scure/base";

/** An account's extended public key: key and chain code, 32 bytes each. */
export type AccountKeyParts = { readonly publicKey: Uint8Array; readonly chainCode: Uint8Array };

/** Reads `acct_xvk…` (CIP-5). Throws `RangeError` for anything else, in particular for a private key. */
export function readAccountKey(text: string): AccountKeyParts {
  const { prefix, words } = bech32.decode(text as `${string}1${string}`, false);
  const bytes = bech32.fromWords(words);
  if (prefix !== "acct_xvk" || bytes.length !== 64)
    throw new RangeError("not the extended public key of an account of Cardano (acct_xvk)");
  return { publicKey: bytes.slice(0, 32), chainCode: bytes.slice(32) };
}
