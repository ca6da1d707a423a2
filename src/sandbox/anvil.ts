import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createJsonRpc, type JsonRpc } from "../chains/rpc/json-rpc.ts";
import { type Clock, microsPerSecond } from "../platform/kernel/clock.ts";
import { errorMessage } from "../platform/kernel/error-message.ts";
import type { Logger } from "../platform/kernel/logger.ts";
import type { Random } from "../platform/kernel/random.ts";
import {
  type SupervisedProcess,
  startSupervised,
} from "../platform/processes/supervised-process.ts";
import { writeAtomically } from "../platform/processes/write-atomically.ts";
import { findAnvil } from "./anvil-binary.ts";
import { mineBlocks } from "./mine-evm.ts";

export type AnvilOptions = {
  /** Anvil's folder, created when missing; the chain in it survives restarts. */
  readonly folder: string;
  /** 0: a free one. */
  readonly port: number;
  readonly chainId: number;
  /** Block interval in seconds; null: blocks only on demand (`evm_mine`, `anvil_mine`). */
  readonly blockSeconds: number | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
};

export type Anvil = {
  readonly url: string;
  readonly port: number;
  readonly chainId: number;
  /** A client of this node, closed by `stop`. */
  readonly rpc: JsonRpc;
  readonly pid: () => number | null;
  /** Resolves when the node has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Writes the chain to the folder and ends the node. */
  readonly stop: () => Promise<void>;
};

/**
 * Number of states kept, which limits the depth of `anvil_reorg`: twice the sandbox's confirmations. States grow with the
 * height (each repeats all block hashes): a thousand of them take 100 MB at height 1000 and 1.8 GB on disk at height 5000.
 */
export const statesKept = 24;
const secondsBetweenSaves = 5;
const startPatienceMs = 60_000;
const stopPatienceMs = 20_000;

/**
 * Starts Anvil on the loopback interface, with its ten funded developer accounts unlocked. It ends with `stop` or with this
 * process; the same folder continues the same chain. A chain file that cannot be read (power loss during a write) is replaced
 * by the one from the last start.
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const { folder, chainId, clock, random, logger } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await predecessorEnded(folder, clock);
  const { node, port } = await startFromState(options);
  const url = `http://127.0.0.1:${port}`;
  const rpc = createJsonRpc({
    nodes: [{ url }],
    chain: "anvil",
    clock,
    logger,
    random,
    timeoutMs: 60_000,
  });
  const stopping = new AbortController();
  // By default Anvil prints a line per request.
  await rpc.call("anvil_setLoggingEnabled", [false], stopping.signal);
  // Otherwise the clock would continue from the genesis time given at the start.
  await setNodeTime(rpc, clock, stopping.signal);
  const mining =
    options.blockSeconds === null
      ? Promise.resolve()
      : mineSteadily(rpc, options.blockSeconds, clock, logger, stopping.signal);
  void node.ended.then(() => {
    if (!stopping.signal.aborted) logger.error("the Ethereum node ended unexpectedly", { url });
    stopping.abort();
  });
  return {
    url,
    port,
    chainId,
    rpc,
    pid: node.programPid,
    ended: node.ended,
    stop: async () => {
      stopping.abort();
      await mining;
      await node.end(clock, stopPatienceMs);
      await rpc.close();
      await rm(join(folder, "pid"), { force: true });
    },
  };
}

async function startFromState(
  options: AnvilOptions,
): Promise<{ readonly node: SupervisedProcess; readonly port: number }> {
  const { folder, logger } = options;
  const state = join(folder, "chain.json");
  const former = join(folder, "chain.former.json");
  try {
    const started = await startOnce(options, state);
    if (existsSync(state)) await copyFile(state, former);
    return started;
  } catch (error) {
    if (!existsSync(state) || !existsSync(former)) throw error;
    logger.error("chain file unreadable: restoring the previous one", {
      error: errorMessage(error),
    });
    await copyFile(state, join(folder, "chain.damaged.json"));
    await copyFile(former, state);
    return await startOnce(options, state);
  }
}

async function startOnce(
  { folder, port, chainId, clock }: AnvilOptions,
  state: string,
): Promise<{ readonly node: SupervisedProcess; readonly port: number }> {
  const genesisSeconds = await genesisTime(folder, clock);
  const node = startSupervised(
    findAnvil(),
    [
      ...["--host", "127.0.0.1", "--port", String(port), "--chain-id", String(chainId)],
      // `mineSteadily` makes the blocks: with a block time of its own, Anvil keeps states without limit.
      ...["--no-mining", "--prune-history", String(statesKept), "--cache-path", folder],
      ...["--state", state, "--state-interval", String(secondsBetweenSaves)],
      // A restarted node needs them to reorganize or trace older blocks.
      "--preserve-historical-states",
      ...["--timestamp", String(genesisSeconds)],
    ],
    { HOME: folder, RUST_LOG: "error" },
  );
  await writeFile(join(folder, "pid"), String(node.pid));
  const waiting = new AbortController();
  try {
    const listening = await Promise.race([
      node.printed(/Listening on 127\.0\.0\.1:(\d+)/),
      clock.sleep(startPatienceMs, waiting.signal).then(() => null),
    ]);
    if (listening === null) throw new Error("the Ethereum node does not start");
    return { node, port: Number(listening) };
  } catch (error) {
    await node.end(clock, stopPatienceMs);
    throw error;
  } finally {
    waiting.abort();
  }
}

/**
 * Anvil creates a block 0 at every start, whatever it loads, and may answer with any of them. A fixed genesis time makes them
 * the same block, so that the chain is the one the database follows.
 */
async function genesisTime(folder: string, clock: Clock): Promise<number> {
  const file = join(folder, "genesis-time");
  if (!existsSync(file)) await writeAtomically(file, String(secondsNow(clock)));
  return Number(await readFile(file, "utf8"));
}

/** If the node takes longer than this to apply the time, its clock may be a second behind. */
const hearingMicros = 500_000;
const attemptsMax = 20;

/** Sets the node's clock to the current time. Repeats if the node was slow, since its clock would stay behind by that much. */
export async function setNodeTime(rpc: JsonRpc, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let attempts = 1; attempts <= attemptsMax; attempts += 1) {
    const startedAt = clock.now();
    await rpc.call("evm_setTime", [secondsNow(clock)], signal);
    if (clock.now() - startedAt <= hearingMicros) return;
  }
}

function secondsNow(clock: Clock): number {
  return Math.floor(clock.now() / microsPerSecond);
}

/** A node whose owner was killed still writes its chain before it ends, so wait for it. */
async function predecessorEnded(folder: string, clock: Clock): Promise<void> {
  const file = join(folder, "pid");
  if (!existsSync(file)) return;
  const pid = Number(await readFile(file, "utf8"));
  for (let waits = 0; waits < 100 && isAlive(pid); waits += 1) await clock.sleep(100);
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function mineSteadily(
  rpc: JsonRpc,
  blockSeconds: number,
  clock: Clock,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const isStopped = (): boolean => signal.aborted;
  while (!isStopped()) {
    await clock.sleep(blockSeconds * 1000, signal);
    if (isStopped()) return;
    try {
      await mineBlocks(rpc, 1, signal);
    } catch (error) {
      if (!isStopped()) logger.warn("no block was mined", { error: errorMessage(error) });
    }
  }
}
