import { once } from "node:events";
import { createServer } from "node:net";
import { errorMessage } from "../platform/kernel/error-message.ts";

/**
 * Rejects when the address cannot be bound. Checked first because a first start takes long and the API, which would fail on
 * it, starts last.
 */
export async function requireFreeAddress(host: string, port: number): Promise<void> {
  const probe = createServer();
  try {
    const listening = once(probe, "listening");
    probe.listen(port, host);
    await listening;
  } catch (error) {
    const hint = "set SLUICE_HOST and SLUICE_PORT to use another address";
    throw new Error(`${errorMessage(error)}; ${hint}`, { cause: error });
  }
  const closed = once(probe, "close");
  probe.close();
  await closed;
}
