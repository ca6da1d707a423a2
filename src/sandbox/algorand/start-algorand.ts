import type { World } from "../../platform/kernel/world.ts";
import { makeBlocksOnTime } from "../on-time.ts";
import { createControl } from "./control.ts";
import { applicationId, assets, faucetMnemonic, network } from "./genesis.ts";
import { openJournal } from "./journal.ts";
import { openLedger } from "./ledger.ts";
import { createNode } from "./node.ts";
import { serveNode } from "./serve-node.ts";

export type AlgorandOptions = World & {
  /** The chain's folder, created when missing; the blocks in it survive restarts and `kill -9`. */
  readonly folder: string;
  /** 0: a free one. */
  readonly port: number;
  /** Whether a block comes every three seconds; otherwise only on demand (`POST sandbox_url/mine`). */
  readonly minesOnTime: boolean;
};

/** A simulated algod. */
export type Algorand = {
  readonly url: string;
  readonly port: number;
  /** What `X-Algo-API-Token` has to contain. */
  readonly token: string;
  /** Base address of the control endpoint. */
  readonly sandboxUrl: string;
  /** The 25 words of the account that holds the test money. */
  readonly faucetMnemonic: string;
  readonly genesisId: string;
  /** The ids of the test assets by alpha code. */
  readonly assets: Readonly<Record<string, bigint>>;
  /** The application that sends the transactions in its arguments. */
  readonly applicationId: bigint;
  /** Resolves when the node was stopped. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
};

const blockIntervalMs = 3_000;

/** As developers' networks have it: 64 times a. */
const token = "a".repeat(64);

/**
 * Starts the simulated Algorand network in this process, on the loopback interface; the same folder continues the same chain. Rejects if
 * the port is taken.
 */
export async function startAlgorand(options: AlgorandOptions): Promise<Algorand> {
  const { clock, folder, logger, minesOnTime, port } = options;
  const { entries, journal } = await openJournal(folder);
  try {
    const ledger = await openLedger({ entries, journal }, network, clock);
    const node = createNode(ledger, clock);
    const control = createControl(node);
    const server = await serveNode(port, { node, control, token, clock, logger });
    const stopping = new AbortController();
    const mining = minesOnTime
      ? makeBlocksOnTime(() => ledger.close(1), blockIntervalMs, options, stopping.signal)
      : null;
    let hasEnded: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      hasEnded = resolve;
    });
    const url = `http://127.0.0.1:${server.port}`;
    return {
      url,
      port: server.port,
      token,
      sandboxUrl: `${url}/sandbox`,
      faucetMnemonic,
      genesisId: network.genesisId,
      assets,
      applicationId,
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
