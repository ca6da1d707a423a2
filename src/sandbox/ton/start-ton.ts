import type { World } from "../../platform/kernel/world.ts";
import { makeBlocksOnTime } from "../on-time.ts";
import { faucetSecretKey, jettonWallets, tokens } from "./genesis.ts";
import { openJournal } from "./journal.ts";
import { openLedger } from "./ledger.ts";
import { createMachine } from "./machine.ts";
import { globalId } from "./network.ts";
import { serveNode } from "./serve-node.ts";

export type TonOptions = World & {
  /** The ledger's folder, created when missing; the blocks in it survive restarts and `kill -9`. */
  readonly folder: string;
  /** 0: a free one. */
  readonly port: number;
  /** Whether there is a masterchain block every three seconds; otherwise only on demand (`POST sandbox_url/mine`). */
  readonly minesOnTime: boolean;
};

/** A simulated TON network behind toncenter. */
export type Ton = {
  readonly port: number;
  /** API v2 as JSON-RPC. */
  readonly url: string;
  /** Base address of API v3. */
  readonly v3Url: string;
  /** Base address of the control endpoint. */
  readonly sandboxUrl: string;
  /** Of the wallet v4R2 that holds TON and all test tokens: 64 bytes in hexadecimal. */
  readonly faucetSecretKey: string;
  /** Test tokens by alpha code: addresses of jetton masters. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly jettonWallets: typeof jettonWallets;
  /** The network's number. */
  readonly globalId: number;
  /** Resolves when the ledger was stopped. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

const blockIntervalMs = 3_000;

/**
 * Starts the simulated TON network in this process, on the loopback interface; the same folder continues the same blocks. Rejects if the
 * port is taken.
 */
export async function startTon(options: TonOptions): Promise<Ton> {
  const { clock, folder, logger, minesOnTime, port } = options;
  const opened = await openJournal(folder);
  try {
    const ledger = await openLedger(opened, clock, await createMachine());
    if (ledger.newest().id.seqno === 0) await ledger.mine(1);
    const server = await serveNode(port, { ledger, logger });
    const stopping = new AbortController();
    const mining = minesOnTime
      ? makeBlocksOnTime(() => ledger.mine(1), blockIntervalMs, options, stopping.signal)
      : null;
    let hasEnded: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      hasEnded = resolve;
    });
    const url = `http://127.0.0.1:${server.port}`;
    return {
      port: server.port,
      url: `${url}/api/v2/jsonRPC`,
      v3Url: `${url}/api/v3`,
      sandboxUrl: `${url}/sandbox`,
      faucetSecretKey,
      tokens,
      jettonWallets,
      globalId,
      ended,
      stop: async () => {
        stopping.abort();
        await mining;
        await server.close();
        await ledger.stop();
        await opened.journal.close();
        hasEnded();
      },
    };
  } catch (error) {
    await opened.journal.close();
    throw error;
  }
}
