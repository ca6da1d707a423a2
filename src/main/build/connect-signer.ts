import { type Clock, secondsBetween } from "../../platform/kernel/clock.ts";
import { type Logger, silentLogger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import type { SignerAddress } from "../../signer/signer-address.ts";
import { createSignerClient, type SignerClient } from "../../signer/signer-client.ts";
import type { Config } from "../config/config.ts";
import { signerAddresses } from "./signer-address.ts";

const patienceSeconds = 30;
const retryMs = 100;
/** A signer that is started with this process needs about a second to unlock its keystore. */
const warnAfterMs = 3_000;

/**
 * Connects to the signer, which may still be unlocking its keystore. A wait of more than 3 seconds is logged once, with the
 * signer's address and the reason, and so is its end. Rejects with `Unavailable` when it does not answer within 30 seconds.
 */
export async function connectSigner(
  config: Config,
  clock: Clock,
  logger: Logger = silentLogger,
): Promise<SignerClient> {
  const { address, second } = signerAddresses(config.signer);
  const client = createSignerClient({
    address,
    clock,
    ...(second === undefined ? {} : { second }),
  });
  const signer = [address, second].filter((each) => each !== undefined).map(nameOf);
  const startedAt = clock.now();
  const wait = { reason: "no answer yet", isAnnounced: false };
  const done = new AbortController();
  void clock.sleep(warnAfterMs, done.signal).then(() => {
    if (done.signal.aborted) return;
    wait.isAnnounced = true;
    logger.warn("waiting for the signer", { signer: signer.join(" or "), reason: wait.reason });
  });
  try {
    for (;;) {
      try {
        await client.accountKeys();
        break;
      } catch (error) {
        const waited = secondsBetween(startedAt, clock.now());
        if (!(error instanceof Unavailable) || waited >= patienceSeconds) throw error;
        wait.reason = error.message;
        await clock.sleep(retryMs);
      }
    }
  } finally {
    done.abort();
  }
  if (wait.isAnnounced) logger.info("the signer answers", { signer: signer.join(" or ") });
  return client;
}

function nameOf(address: SignerAddress): string {
  return address.kind === "socket" ? address.path : `${address.host}:${address.port}`;
}
