import type { World } from "../../platform/kernel/world.ts";
import { makeBlocksOnTime } from "../on-time.ts";
import { createControl } from "./control.ts";
import { faucetPrivateKey, networkMagic } from "./genesis.ts";
import { openJournal } from "./journal.ts";
import { openLedger } from "./ledger.ts";
import { createNode } from "./node.ts";
import { serveNode } from "./serve-node.ts";

export type CardanoOptions = World & {
  /** The chain's folder, created when missing; the blocks in it survive restarts and `kill -9`. */
  readonly folder: string;
  /** 0: a free one. */
  readonly port: number;
  /** Whether blocks come by themselves; otherwise only on demand (`POST sandbox_url/mine`). */
  readonly minesOnTime: boolean;
  /** How often they do; every two seconds, unless given. */
  readonly blockIntervalMs?: number;
};

/** A simulated Cardano network behind Ogmios and Kupo. */
export type Cardano = {
  readonly port: number;
  /** Ogmios over HTTP, and over WebSocket. */
  readonly ogmiosUrl: string;
  readonly ogmiosWsUrl: string;
  readonly kupoUrl: string;
  /** Base address of the control endpoint. */
  readonly sandboxUrl: string;
  readonly networkMagic: number;
  /** Of the address that holds the test money: an extended key, `ed25519e_sk1…`. */
  readonly faucetPrivateKey: string;
  /** Resolves when the network was stopped. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

const defaultIntervalMs = 2_000;

/**
 * Starts the simulated Cardano network in this process, on the loopback interface; the same folder continues the same chain. Rejects if
 * the port is taken.
 */
export async function startCardano(options: CardanoOptions): Promise<Cardano> {
  const { clock, folder, logger, minesOnTime, port } = options;
  const { entries, journal } = await openJournal(folder);
  try {
    const node = createNode(await openLedger({ entries, journal }, options), clock);
    const server = await serveNode(port, { node, control: createControl(node), logger });
    const mineUnlessPaused = async (): Promise<void> => {
      if (!node.isPaused()) await node.ledger.mine({ blocks: 1, slots: 1, isEmpty: false });
    };
    const stopping = new AbortController();
    const mining = minesOnTime
      ? makeBlocksOnTime(
          mineUnlessPaused,
          options.blockIntervalMs ?? defaultIntervalMs,
          options,
          stopping.signal,
        )
      : null;
    let hasEnded: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      hasEnded = resolve;
    });
    const host = `127.0.0.1:${server.port}`;
    return {
      port: server.port,
      ogmiosUrl: `http://${host}`,
      ogmiosWsUrl: `ws://${host}`,
      kupoUrl: `http://${host}/kupo`,
      sandboxUrl: `http://${host}/sandbox`,
      networkMagic,
      faucetPrivateKey,
      ended,
      stop: async () => {
        stopping.abort();
        await mining;
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
