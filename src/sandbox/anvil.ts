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

export type AnvilOptions = {
  /** Anvil's own folder, made when missing; the chain is kept in it over restarts. */
  readonly folder: string;
  /** 0: a free one. */
  readonly port: number;
  readonly chainId: number;
  /** Seconds from block to block; null: blocks only on demand (`evm_mine`, `anvil_mine`). */
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
  /** Resolves when the node has ended, also when nobody asked it to. */
  readonly ended: Promise<void>;
  /** Writes the chain to the folder and ends the node. */
  readonly stop: () => Promise<void>;
};

/**
 * States kept, which bounds how deep `anvil_reorg` reaches: twice the confirmations of the sandbox. Anvil's states grow
 * with the height (each repeats all block hashes), so that a thousand of them take 100 MB at height 1000 and
 * 1.8 GB on disk at height 5000.
 */
export const statesKept = 24;
const secondsBetweenSaves = 5;
const startPatienceMs = 60_000;
const stopPatienceMs = 20_000;

/**
 * Starts Anvil on the loopback interface, with its ten funded developer accounts unlocked. It ends when `stop` is called or
 * this process ends, however it ends; the same folder continues the same chain. A chain file that cannot be read (the
 * machine lost power while it was written) gives way to the one that the last start was made from.
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const { folder, chainId, clock, random, logger } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await predecessorEnded(folder, clock);
  const { node, port } = await startFromState(options);
  const url = `http://127.0.0.1:${port}`;
  const rpc = createJsonRpc({
    urls: [url],
    chain: "anvil",
    clock,
    logger,
    random,
    timeoutMs: 60_000,
  });
  const stopping = new AbortController();
  // Otherwise it prints a line for each question.
  await rpc.call("anvil_setLoggingEnabled", [false], stopping.signal);
  // The time of block 0 that it was given would be its time from now on.
  await setNodeTime(rpc, clock, stopping.signal);
  const mining =
    options.blockSeconds === null
      ? Promise.resolve()
      : mineSteadily(rpc, options.blockSeconds, clock, logger, stopping.signal);
  void node.ended.then(() => {
    if (!stopping.signal.aborted) logger.error("the Ethereum node ended by itself", { url });
    stopping.abort();
  });
  return {
    url,
    port,
    chainId,
    rpc,
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
    logger.error("the chain's file does not load: going back to the former one", {
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
      // Blocks come from `mineSteadily`: with a block time of its own Anvil keeps states without limit.
      ...["--no-mining", "--prune-history", String(statesKept), "--cache-path", folder],
      ...["--state", state, "--state-interval", String(secondsBetweenSaves)],
      // Without them a restarted node can neither re-organise nor trace what came before.
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
 * Anvil makes a block 0 at every start, whatever it loads, and answers with any one of those that it has: only of the same
 * second are they the same block, and the chain is the one that the database follows.
 */
async function genesisTime(folder: string, clock: Clock): Promise<number> {
  const file = join(folder, "genesis-time");
  if (!existsSync(file)) await writeAtomically(file, String(secondsNow(clock)));
  return Number(await readFile(file, "utf8"));
}

/** The clock of a node that heard the time so much later is a second behind at the most. */
const hearingMicros = 500_000;
const tellingsMax = 20;

/** Sets the node's clock to the time of day. Told anew when the node took long to hear it: it would stay that far behind for good. */
export async function setNodeTime(rpc: JsonRpc, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let tellings = 1; tellings <= tellingsMax; tellings += 1) {
    const startedAt = clock.now();
    await rpc.call("evm_setTime", [secondsNow(clock)], signal);
    if (clock.now() - startedAt <= hearingMicros) return;
  }
}

function secondsNow(clock: Clock): number {
  return Math.floor(clock.now() / microsPerSecond);
}

/** A node whose owner was killed writes its chain before it ends: nobody may read it before. */
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
      await rpc.callOnce("evm_mine", [], signal);
    } catch (error) {
      if (!isStopped()) logger.warn("no block was mined", { error: errorMessage(error) });
    }
  }
}
