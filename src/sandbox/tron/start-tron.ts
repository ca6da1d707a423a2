import { join } from "node:path";
import { microsPerSecond } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { World } from "../../platform/kernel/world.ts";
import { blockIntervalMs } from "./block.ts";
import { createControl } from "./control.ts";
import { startEvm } from "./evm.ts";
import { faucetPrivateKey, tokenAddresses } from "./genesis.ts";
import { openJournal } from "./journal.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { serveNode } from "./serve-node.ts";

export type TronOptions = World & {
  /** The ledger's folder, created when missing; the chain in it survives restarts and `kill -9`. */
  readonly folder: string;
  /** 0: a free one. */
  readonly port: number;
  /** Whether a block is made every three seconds; otherwise only on demand (`POST sandbox_url/mine`). */
  readonly minesOnTime: boolean;
};

/** A simulated java-tron. */
export type Tron = {
  /** Base address of its HTTP interface. */
  readonly url: string;
  readonly port: number;
  /** Base address of the control endpoint. */
  readonly sandboxUrl: string;
  /** Of the account that holds TRX and all test tokens; 64 hexadecimal digits. */
  readonly faucetPrivateKey: string;
  /** Contracts of the test tokens in base58 by alpha code. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Resolves when the ledger has ended: it was stopped, or its EVM has ended. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts the simulated TRON ledger on the loopback interface. It runs in this process, except for its EVM; the same folder
 * continues the same chain. Rejects if the port is taken.
 */
export async function startTron(options: TronOptions): Promise<Tron> {
  const { folder, port, minesOnTime, clock, logger } = options;
  const evm = await startEvm(join(folder, "evm"), options);
  try {
    const { entries, journal } = await openJournal(folder);
    const ledger = await openLedger({ entries, journal }, evm, clock);
    const server = await serveNode(port, { ledger, control: createControl(ledger), logger });
    const stopping = new AbortController();
    const mining = minesOnTime ? mineOnTime(ledger, options, stopping.signal) : Promise.resolve();
    // Also frees the port for a successor, when the EVM has ended unexpectedly.
    const ended = evm.ended.then(async () => {
      if (!stopping.signal.aborted) logger.error("the TRON ledger's EVM ended unexpectedly");
      stopping.abort();
      await mining;
      await server.close();
      await journal.close();
    });
    const url = `http://127.0.0.1:${server.port}`;
    return {
      url,
      port: server.port,
      sandboxUrl: `${url}/sandbox`,
      faucetPrivateKey,
      tokens: tokenAddresses,
      ended,
      stop: async () => {
        stopping.abort();
        await mining;
        await evm.stop();
        await ended;
      },
    };
  } catch (error) {
    await evm.stop();
    throw error;
  }
}

async function mineOnTime(
  ledger: Ledger,
  { clock, logger }: World,
  signal: AbortSignal,
): Promise<void> {
  const isStopped = (): boolean => signal.aborted;
  while (!isStopped()) {
    const nowMs = Math.floor((clock.now() / microsPerSecond) * 1000);
    await clock.sleep(blockIntervalMs - (nowMs % blockIntervalMs), signal);
    if (isStopped()) return;
    try {
      await ledger.mineOnTime();
    } catch (error) {
      if (!isStopped()) logger.warn("no block was made", { error: errorMessage(error) });
    }
  }
}
