import { once } from "node:events";
import { createServer } from "node:net";
import { errorMessage } from "../platform/kernel/error-message.ts";

/**
 * Rejects when nobody can listen there. It is asked before anything else is started: a first start takes long, and the API,
 * which would find out, comes last.
 */
export async function requireFreeAddress(host: string, port: number): Promise<void> {
  const probe = createServer();
  try {
    const listening = once(probe, "listening");
    probe.listen(port, host);
    await listening;
  } catch (error) {
    const hint = "SLUICE_HOST and SLUICE_PORT name another address";
    throw new Error(`${errorMessage(error)}; ${hint}`, { cause: error });
  }
  const closed = once(probe, "close");
  probe.close();
  await closed;
}
