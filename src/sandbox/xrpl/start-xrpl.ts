import type { World } from "../../platform/kernel/world.ts";
import { makeBlocksOnTime } from "../on-time.ts";
import { createControl } from "./control.ts";
import { faucetSeed } from "./genesis.ts";
import { openJournal } from "./journal.ts";
import { openLedger } from "./ledger.ts";
import { createNode } from "./node.ts";
import { serveNode } from "./serve-node.ts";
import { initialSettings, type Settings } from "./settings.ts";

export type XrplOptions = World & {
  /** The ledger's folder, created when missing; the chain in it survives restarts and `kill -9`. */
  readonly folder: string;
  /** 0: a free one. */
  readonly port: number;
  /** Whether a ledger is closed every three seconds; otherwise only on demand (`POST sandbox_url/mine`, `ledger_accept`). */
  readonly closesOnTime: boolean;
  /** Of a new chain, where it differs from the main network. */
  readonly settings?: Partial<Settings>;
};

/** A simulated rippled. */
export type Xrpl = {
  /** Its JSON-RPC and its WebSocket, at the same port. */
  readonly url: string;
  readonly wsUrl: string;
  readonly port: number;
  /** Base address of the control endpoint. */
  readonly sandboxUrl: string;
  /** Of the account that holds the test money: an Ed25519 seed, `sEd…`. */
  readonly faucetSeed: string;
  readonly networkId: number;
  /** Resolves when the ledger was stopped. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

const ledgerIntervalMs = 3_000;

/**
 * Starts the simulated XRP Ledger in this process, on the loopback interface; the same folder continues the same chain. Rejects if the
 * port is taken.
 */
export async function startXrpl(options: XrplOptions): Promise<Xrpl> {
  const { clock, closesOnTime, folder, logger, port } = options;
  const { entries, journal } = await openJournal(folder);
  try {
    const settings = { ...initialSettings, ...options.settings };
    const ledger = await openLedger({ entries, journal }, clock, settings);
    const node = createNode(ledger);
    const server = await serveNode(port, { node, control: createControl(node), logger });
    const stopping = new AbortController();
    const closing = closesOnTime
      ? makeBlocksOnTime(() => ledger.close(1), ledgerIntervalMs, options, stopping.signal)
      : null;
    let hasEnded: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      hasEnded = resolve;
    });
    const host = `127.0.0.1:${server.port}`;
    return {
      url: `http://${host}`,
      wsUrl: `ws://${host}`,
      port: server.port,
      sandboxUrl: `http://${host}/sandbox`,
      faucetSeed,
      networkId: ledger.settings().networkId,
      ended,
      stop: async () => {
        stopping.abort();
        await closing;
        await server.close();
        await journal.close();
        hasEnded();
      },
    };
  } catch (error) {
    await journal.close();
    throw error;
  }
}
