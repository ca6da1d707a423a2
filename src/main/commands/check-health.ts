import type { Clock } from "../../platform/kernel/clock.ts";
import { createSignerClient } from "../../signer/signer-client.ts";
import { ownSigner } from "../build/own-signer.ts";
import { localSigner } from "../build/signer-address.ts";
import type { Config } from "../config/config.ts";
import { readConfig } from "../config/read-config.ts";
import type { CommandContext } from "./command-context.ts";
import { checkInSync } from "./signer-pair.ts";

export type ProcessName = "api" | "worker" | "signer";

const timeoutMs = 5_000;

/**
 * `sluice health`: asks a process on this machine whether it works, for container runtimes. API and worker answer at `/healthz`,
 * or with `isReady` at `/readyz`; the signer names its keys, and with `isReady` one of a pair must be active or in sync. Rejects
 * with the reason if it does not.
 */
export async function checkHealth(
  configFile: string,
  process: ProcessName,
  options: { readonly port: number | null; readonly isReady: boolean },
  { clock, print }: Pick<CommandContext, "clock" | "print">,
): Promise<void> {
  const config = await readConfig(configFile);
  if (process === "signer") {
    await askSigner(config, clock);
    if (options.isReady) await checkInSync(config.signer);
  } else {
    const { host, port } = process === "api" ? config.listen : config.worker;
    await askServer(localAddress(host), options.port ?? port, options.isReady);
  }
  print(`${process}: ok`);
}

/** A process that listens on every interface also answers on the loopback one. */
function localAddress(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

async function askServer(host: string, port: number, isReady: boolean): Promise<void> {
  const url = `http://${host}:${port}/${isReady ? "readyz" : "healthz"}`;
  const { status } = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch(
    (error: unknown) => {
      throw new Error(`${url} does not answer`, { cause: error });
    },
  );
  if (status !== 200) throw new Error(`${url} answers ${status}`);
}

async function askSigner({ signer }: Config, clock: Clock): Promise<void> {
  const client = createSignerClient({
    address: localSigner(ownSigner(signer).folder),
    clock,
    timeoutMs,
  });
  try {
    await client.accountKeys();
  } finally {
    client.close();
  }
}
