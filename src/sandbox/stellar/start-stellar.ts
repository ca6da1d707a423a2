import type { World } from "../../platform/kernel/world.ts";
import { makeBlocksOnTime } from "../on-time.ts";
import { faucet, networkPassphrase, tokens } from "./genesis.ts";
import { openJournal } from "./journal.ts";
import { openLedger } from "./ledger.ts";
import { serveNode } from "./serve-node.ts";

export type StellarOptions = World & {
  /** The ledger's folder, created when missing; the ledgers in it survive restarts and `kill -9`. */
  readonly folder: string;
  /** 0: a free one. */
  readonly port: number;
  /** Whether a ledger closes every two seconds; otherwise only on demand (`POST sandbox_url/mine`). */
  readonly minesOnTime: boolean;
};

/** A simulated network behind stellar-rpc and Horizon. */
export type Stellar = {
  readonly port: number;
  readonly rpcUrl: string;
  readonly horizonUrl: string;
  /** Base address of the control endpoint. */
  readonly sandboxUrl: string;
  readonly networkPassphrase: string;
  /** Of the account that holds XLM and all test tokens. */
  readonly faucetSecret: string;
  /** Test tokens as `CODE:ISSUER` by alpha code. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Resolves when the network was stopped. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

const closeIntervalMs = 2_000;

/**
 * Starts the simulated Stellar network on the loopback interface, in this process; the same folder continues the same ledgers. Rejects if
 * the port is taken.
 */
export async function startStellar(options: StellarOptions): Promise<Stellar> {
  const { folder, port, minesOnTime, clock, logger } = options;
  const { ledgers, journal } = await openJournal(folder);
  const { ledger, server } = await serve().catch(async (error: unknown) => {
    await journal.close();
    throw error;
  });
  const stopping = new AbortController();
  const closing = minesOnTime
    ? makeBlocksOnTime(() => ledger.close(1), closeIntervalMs, options, stopping.signal)
    : Promise.resolve();
  let hasEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    hasEnded = resolve;
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    port: server.port,
    rpcUrl: `${url}/rpc`,
    horizonUrl: `${url}/horizon`,
    sandboxUrl: `${url}/sandbox`,
    networkPassphrase,
    faucetSecret: faucet.secret(),
    tokens,
    ended,
    stop: async () => {
      stopping.abort();
      await closing;
      await server.close();
      await journal.close();
      hasEnded();
    },
  };

  async function serve() {
    const opened = await openLedger(ledgers, journal, clock);
    return { ledger: opened, server: await serveNode(port, { ledger: opened, logger }) };
  }
}
