import type { Clock } from "../../platform/kernel/clock.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { createSignerClient, type SignerClient } from "../../signer/signer-client.ts";
import type { Config } from "../config/config.ts";
import { signerAddresses } from "./signer-address.ts";

const patienceMs = 30_000;
const retryMs = 100;

/**
 * Connects to the signer, which may still be unlocking its keystore. Rejects with `Unavailable` when it does not answer in time.
 */
export async function connectSigner(config: Config, clock: Clock): Promise<SignerClient> {
  const client = createSignerClient({ ...signerAddresses(config.signer), clock });
  for (let waitedMs = 0; ; waitedMs += retryMs) {
    try {
      await client.accountKeys();
      return client;
    } catch (error) {
      if (!(error instanceof Unavailable) || waitedMs >= patienceMs) throw error;
      await clock.sleep(retryMs);
    }
  }
}
