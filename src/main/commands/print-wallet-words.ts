import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createDraftSigners } from "../../signer/create-draft-signers.ts";
import { sealKeys } from "../../signer/keys/key-ring.ts";
import { openKeystore } from "../../signer/keys/keystore.ts";
import { readPassphrase } from "../../signer/keys/read-passphrase.ts";
import { signerSettings } from "../build/signer-settings.ts";
import { readConfig } from "../config/read-config.ts";
import type { CommandContext } from "./command-context.ts";

const defaultWalletProgram = "monero-wallet-rpc";

/**
 * `sluice signer words CHAIN`: prints the words that restore the chain's account in other wallets, from the keystore and its passphrase. Rejects
 * where the deployment pays nothing on the chain, and where the 24 words of the keystore are the ones.
 */
export async function printWalletWords(
  configFile: string,
  chain: string,
  context: CommandContext,
): Promise<void> {
  const config = await readConfig(configFile);
  const { folder, paying, passphrase: source } = signerSettings(config, null);
  const signed = paying?.chains.find((one) => one.chain === chain);
  if (signed === undefined) throw new Error(`the signer signs nothing on ${chain}`);
  const [signer] = createDraftSigners([signed], () => null, {
    clock: context.clock,
    random: context.random,
    // Beside the running signer's own wallet.
    folder: join(folder, "words"),
    walletProgram: paying?.walletProgram ?? defaultWalletProgram,
  });
  if (signer === undefined || !("walletWords" in signer))
    throw new Error(`wallets of ${chain} restore the account from the 24 words of the keystore`);
  const passphrase = readPassphrase(source);
  const entropy = await openKeystore(join(folder, "keystore.json"), passphrase).finally(() => {
    passphrase.fill(0);
  });
  const keys = sealKeys(entropy, context.random);
  entropy.fill(0);
  try {
    const words = await keys.lend(signer.walletWords);
    context.print(`The words of the ${chain} account. They are enough to spend all of it:`);
    context.print(words);
  } finally {
    keys.forget();
    await signer.close();
    await rm(join(folder, "words"), { recursive: true, force: true });
  }
}
