import { globSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import type { ChainAdapter } from "../../src/chains/chain-adapter.ts";
import { reorgDepthMax } from "../../src/chains/follow/catch-up-filter.ts";
import { createFingerprintTable } from "../../src/chains/follow/fingerprint-table.ts";
import { takeStep } from "../../src/chains/follow/take-step.ts";
import { addressOfScript } from "../../src/chains/utxo/output-script.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { mineBlocks } from "../../src/sandbox/drive-utxo-node.ts";
import { findDaemon } from "../../src/sandbox/find-daemon.ts";
import { startUtxoNode, type UtxoNode } from "../../src/sandbox/utxo-node.ts";
import { bitcoin, daemonOf } from "../support/known-chains.ts";
import { addAddresses } from "./address-rows.ts";
import type { BenchSite } from "./bench-site.ts";
import { type Deployment, deploy } from "./deployment.ts";
import { followerContext, holdChain, openBitcoin } from "./follow-blocks.ts";
import {
  type BlockSite,
  buildBlock,
  type Coin,
  fanOut,
  fullPayments,
  openCoins,
  openOutput,
  transactionsPerBlock,
} from "./full-blocks.ts";
import { median, sideBySide, timed } from "./measure.ts";
import { processorFindings, processorTimeOf, type Spent } from "./processor-time.ts";
import { boundFinding, type Finding, rateFinding } from "./report.ts";

const rounds = 7;
const blocks = 12;
const watched = 100_000;
const filterEntries = 10_000_000;
const filterOutputs = 10_000;
const filterBlocks = 7;
const connections = 4;

/** Full blocks of a real bitcoind without payments to us: following them compared with only fetching them. */
export async function benchCatchUp(site: BenchSite): Promise<readonly Finding[]> {
  const filter = benchFilter();
  const found = findDaemon("bitcoind", {
    path: process.env["PATH"] ?? "",
    home: homedir(),
    cacheHome: process.env["XDG_CACHE_HOME"] ?? "",
  });
  if (found.kind === "missing") {
    console.error(`\nCATCH-UP IS NOT MEASURED: ${found.reason}\n`);
    return filter;
  }
  const deployment = await deploy(site, "catchup");
  await addAddresses(site, deployment.databaseUrl, watched, "watched");
  const node = await startUtxoNode({
    chain: "BTC",
    sandbox: daemonOf(bitcoin),
    program: found.path,
    folder: join(site.folder, "bitcoin"),
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
  });
  site.teardown.add("bitcoind", () => node.stop());
  const adapter = openBitcoin(deployment, node.rpcUrl);
  const range = await mineFullBlocks(node, reorgDepthMax(adapter.reader));
  const nodePid = readNodePid(join(site.folder, "bitcoin"));
  const spent: Spent = { product: [], floor: [] };
  const timedBlocks = async (noted: number[], work: () => Promise<unknown>): Promise<number> => {
    let seconds = 0;
    const used = await processorTimeOf(site, [process.pid, nodePid], async () => {
      seconds = await timed(work);
    });
    noted.push((1e6 * used) / blocks);
    return blocks / seconds;
  };
  const speeds = await sideBySide(
    rounds,
    () => timedBlocks(spent.floor, () => fetchBlocks(node, range)),
    async () => {
      const { follow, end } = await openFollower(deployment, adapter, range);
      const speed = await timedBlocks(spent.product, follow);
      await end();
      return speed;
    },
  );
  const what = `catching up over full blocks, ${watched.toLocaleString("en-US")} watched addresses`;
  const floorName = `bitcoind's responses, ${connections} at a time`;
  return [
    rateFinding(what, "/s", speeds, floorName, 0.7),
    ...processorFindings(
      `${what}: processor time per block, bitcoind, worker and PostgreSQL`,
      { product: median(spent.product), floor: median(spent.floor) },
      floorName,
    ),
    ...filter,
  ];
}

/** From the file that bitcoind writes. */
function readNodePid(folder: string): number {
  const [file] = globSync("**/bitcoind.pid", { cwd: folder });
  return Number(readFileSync(join(folder, present(file, "bitcoind's pid file")), "utf8"));
}

type Range = { readonly first: number; readonly last: number };

/** Full blocks so deep that no reorg can reach them. */
async function mineFullBlocks(node: UtxoNode, reach: number): Promise<Range> {
  const network = bitcoin.networks.regtest;
  const address = present(addressOfScript(network, openOutput.toString("hex")), "an address");
  const txid = await node.faucet<string>("sendtoaddress", [address, "10"]);
  await mineBlocks(node, 1);
  const root = fanOut(await coinOf(node, txid, address), transactionsPerBlock);
  await submit(node, [root]);
  let coins = openCoins(root);
  const first = (await node.command<number>("getblockcount")) + 1;
  for (let block = 0; block < blocks; block += 1) {
    const payments = fullPayments(coins, `block ${block}`);
    await submit(node, payments);
    coins = payments.flatMap(openCoins);
  }
  await mineBlocks(node, reach + 1);
  return { first, last: first + blocks - 1 };
}

async function coinOf(node: UtxoNode, txid: string, address: string): Promise<Coin> {
  const { vout } = await node.command<{
    vout: { n: number; value: string; scriptPubKey: { address?: string } }[];
  }>("getrawtransaction", [txid, true]);
  const output = present(
    vout.find(({ scriptPubKey }) => scriptPubKey.address === address),
    "the output to everybody",
  );
  return { hash: Buffer.from(txid, "hex").reverse(), index: output.n, units: 1_000_000_000n };
}

async function submit(node: UtxoNode, payments: Parameters<typeof buildBlock>[1]): Promise<void> {
  const parentHash = await node.command<string>("getbestblockhash");
  const parent = await node.command<{ height: number; time: number }>("getblockheader", [
    parentHash,
  ]);
  const site: BlockSite = { parentHash, height: parent.height + 1, time: parent.time + 1 };
  const refusal = await node.command<string | null>("submitblock", [
    buildBlock(site, payments).hex,
  ]);
  if (refusal !== null) throw new Error(`bitcoind refused a block: ${refusal}`);
}

/** Sends the follower's requests and discards the answers. */
async function fetchBlocks(node: UtxoNode, { first, last }: Range): Promise<void> {
  const at = new URL(node.rpcUrl);
  const pool = new Pool(at.origin, { connections });
  const authorization = `Basic ${Buffer.from(`${at.username}:${at.password}`).toString("base64")}`;
  const post = async (questions: object): Promise<Buffer> => {
    const { body } = await pool.request({
      path: "/",
      method: "POST",
      headers: { authorization },
      body: JSON.stringify(questions),
    });
    return Buffer.from(await body.arrayBuffer());
  };
  let next = first;
  const fetchOne = async (): Promise<void> => {
    while (next <= last) {
      const height = next;
      next += 1;
      const named = await post({ id: 1, method: "getblockhash", params: [height] });
      const { result: hash } = JSON.parse(named.toString()) as { result: string };
      const header = { id: 1, method: "getblockheader", params: [hash, true] };
      await post(header);
      await post([header, { id: 2, method: "getblock", params: [hash, 0] }]);
    }
  };
  await Promise.all(Array.from({ length: connections }, fetchOne));
  await pool.close();
}

/** A follower far behind these blocks, which therefore matches in memory. */
async function openFollower(
  deployment: Deployment,
  adapter: ChainAdapter,
  { first, last }: Range,
): Promise<{ readonly follow: () => Promise<void>; readonly end: () => Promise<void> }> {
  await deployment.site.sql(
    deployment.databaseUrl,
    "truncate chain_cursor, chain_block, scanned_range",
  );
  const context = followerContext(
    deployment,
    adapter,
    { filterFromBlocks: 1, readAhead: connections },
    first - 1,
    () => undefined,
  );
  const session = await holdChain(deployment, context);
  // The previous block loads the filter, which happens once for many blocks.
  while (session.cursor.height < first - 1) await takeStep(context, session);
  if (session.filter === null) throw new Error("the follower does not match in memory");
  session.ahead.drop();
  return {
    follow: async () => {
      while (session.cursor.height < last) await takeStep(context, session);
    },
    end: () => session.end(),
  };
}

/** The filter alone, at a size that no test database has. */
function benchFilter(): readonly Finding[] {
  const table = createFingerprintTable(filterEntries);
  // Flat, as parts of a block are; a text made of parts would be joined at its first use.
  const scriptOf = (index: number): string =>
    Buffer.from(`0014${index.toString(16).padStart(40, "7")}`).toString("latin1");
  for (let index = 0; index < filterEntries; index += 1) table.add(scriptOf(index));
  let hits = 0;
  const spent: number[] = [];
  const tookMs = Array.from({ length: filterBlocks }, (_, block) => {
    const first = filterEntries + block * filterOutputs;
    const outputs = Array.from({ length: filterOutputs }, (_, index) => scriptOf(first + index));
    const before = process.cpuUsage();
    const start = performance.now();
    if (table.mayContainAny(outputs)) hits += 1;
    const took = performance.now() - start;
    const { user, system } = process.cpuUsage(before);
    spent.push(user + system);
    return took;
  });
  if (hits > 1) throw new Error(`${hits} of ${filterBlocks} foreign blocks pass the filter`);
  const size = filterEntries.toLocaleString("en-US");
  const what = "10,000 outputs against a filter";
  return [
    boundFinding(`${what} of ${size} addresses`, median(tookMs), "ms", 3),
    ...processorFindings(
      `${what} of ${size} addresses: processor time`,
      { product: median(spent), floor: null },
      "",
    ),
    boundFinding(`memory of that filter`, table.byteLength() / 1024 ** 2, "MiB", 200),
  ];
}
