import pg from "pg";
import { Pool } from "undici";
import { takeStep } from "../../src/chains/follow/take-step.ts";
import { createDepositWriter } from "../../src/deposits/create/create.store.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { addAddresses } from "./address-rows.ts";
import type { BenchSite } from "./bench-site.ts";
import { ask, startHelper } from "./child-process.ts";
import { arrangeTenant, arrangeWallet, type Deployment, deploy } from "./deployment.ts";
import { followerContext, holdChain, openBitcoin } from "./follow-blocks.ts";
import { median, timed } from "./measure.ts";
import { processorFindings, processorTimeOf } from "./processor-time.ts";
import type { RecordedNodeOrder } from "./recorded-node-process.ts";
import { durationFinding, type Finding } from "./report.ts";
import { dollar, sampleDeposit, sampleUnits } from "./sample-deposit.ts";

const fewWatched = 1_000;
const manyWatched = 1_000_000;
const hitsPerBlock = 100;
/** Blocks of each kind, for each size of the watch list; the first one is a warm-up. */
const blocks = 5;

type Kind = { readonly watched: number; readonly hits: number };

/** Medians of a kind: milliseconds elapsed, and seconds of processor time here and in PostgreSQL. */
type Result = Kind & {
  readonly productMs: number;
  readonly floorMs: number;
  readonly productSpent: number;
  readonly floorSpent: number;
};

const kinds: readonly Kind[] = [fewWatched, manyWatched].flatMap((watched) =>
  [0, hitsPerBlock].map((hits) => ({ watched, hits })),
);

/**
 * One full block from the request to the node to the commit, by the follower itself, against the minimum:
 * fetch it, find its outputs, and look up in the database which are watched.
 */
export async function benchBlocks(site: BenchSite): Promise<readonly Finding[]> {
  const deployment = await deploy(site, "blocks");
  const paid = await arrangePaidAddresses(deployment);
  await addAddresses(site, deployment.databaseUrl, fewWatched - paid.length, "watched");
  const node = startHelper("recorded-node-process.ts", site.teardown);
  const unpaid = [...paid];
  const order: RecordedNodeOrder = {
    blocks: kinds.flatMap(({ hits }) =>
      Array.from({ length: blocks }, () => ({ hits: unpaid.splice(0, hits) })),
    ),
    hitUnits: sampleUnits,
  };
  const { url } = await ask<{ url: string }>(node, order);
  const adapter = openBitcoin(deployment, url);
  // Without reading ahead, so that each block is timed from its own request.
  const context = followerContext(deployment, adapter, { readAhead: 1 }, 1, () => undefined);
  const session = await holdChain(deployment, context);
  const bare = await openBareReader(deployment, url);
  const results: Result[] = [];
  const spend = (work: () => Promise<unknown>): Promise<number> =>
    processorTimeOf(site, [process.pid], work);
  let height = 0;
  for (const kind of kinds) {
    if (kind.watched > fewWatched && kind.hits === 0)
      await addAddresses(site, deployment.databaseUrl, manyWatched - fewWatched, "watched");
    const productMs: number[] = [];
    const floorMs: number[] = [];
    const productSpent: number[] = [];
    const floorSpent: number[] = [];
    for (let block = 0; block < blocks; block += 1) {
      height += 1;
      await ask(node, { reveal: height });
      floorSpent.push(
        await spend(async () => {
          floorMs.push(1_000 * (await timed(() => bare.read(height))));
        }),
      );
      session.tip = await adapter.reader.tip(session.signal);
      const follow = async (): Promise<void> => {
        while (session.cursor.height < height) await takeStep(context, session);
      };
      productSpent.push(
        await spend(async () => {
          productMs.push(1_000 * (await timed(follow)));
        }),
      );
    }
    results.push({
      ...kind,
      productMs: median(productMs.slice(1)),
      floorMs: median(floorMs.slice(1)),
      productSpent: median(productSpent.slice(1)),
      floorSpent: median(floorSpent.slice(1)),
    });
  }
  return findingsOf(results);
}

function findingsOf(results: readonly Result[]): readonly Finding[] {
  const against = results.flatMap(
    ({ watched, hits, productMs, floorMs, productSpent, floorSpent }) => {
      const what = `block of 4,000 transactions, ${hits} payments to ${watched.toLocaleString("en-US")} watched addresses`;
      const floorName = "fetch, outputs, one query";
      return [
        durationFinding(what, { product: productMs, floor: floorMs }, floorName, 2),
        ...processorFindings(
          `${what}: processor time, worker and PostgreSQL`,
          { product: 1e6 * productSpent, floor: 1e6 * floorSpent },
          floorName,
        ),
      ];
    },
  );
  const growth = [0, hitsPerBlock].map((hits) => {
    const of = (watched: number): number =>
      present(
        results.find((result) => result.watched === watched && result.hits === hits),
        "a result",
      ).productMs;
    return durationFinding(
      `the same with 1,000,000 watched, ${hits} payments`,
      { product: of(manyWatched), floor: of(fewWatched) },
      "with 1,000",
      1.5,
    );
  });
  return [...against, ...growth];
}

/** Creates a deposit for each payment of all blocks; returns the scripts of their addresses in hex. */
async function arrangePaidAddresses(deployment: Deployment): Promise<readonly string[]> {
  const { site, databaseUrl, foundation } = deployment;
  const tenant = await arrangeTenant(deployment);
  const walletId = await arrangeWallet(deployment, tenant, 1, dollar);
  const count = kinds.reduce((sum, { hits }) => sum + hits * blocks, 0);
  await addAddresses(site, databaseUrl, count, "waiting");
  const writer = createDepositWriter(foundation.db, () => "available");
  const sample = sampleDeposit(tenant, walletId);
  await Promise.all(
    Array.from({ length: count }, () =>
      writer.create({ ...sample, paymentPageId: systemRandom.uuid() }),
    ),
  );
  const rows = (await site.sql(
    databaseUrl,
    "select watch_key from address where deposit_id is not null",
  )) as { watch_key: string }[];
  return rows.map((row) => row.watch_key);
}

async function openBareReader({ site, databaseUrl }: Deployment, url: string) {
  const pool = new Pool(url, { connections: 1 });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  site.teardown.add("bare reader", async () => {
    await Promise.all([pool.close(), client.end()]);
  });
  const call = async (questions: object): Promise<unknown> => {
    const { body } = await pool.request({
      path: "/",
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(questions),
    });
    return body.json();
  };
  return {
    read: async (height: number): Promise<void> => {
      const named = await call({ id: 1, method: "getblockhash", params: [height] });
      const { result: hash } = named as { result: string };
      const answers = await call([
        { id: 1, method: "getblockheader", params: [hash, true] },
        { id: 2, method: "getblock", params: [hash, 0] },
      ]);
      const [, block] = answers as { result: string }[];
      const scripts = outputScripts(Buffer.from(block?.result ?? "", "hex"));
      await client.query({
        name: "match",
        text: "select watch_key from address where keyspace = 'BTC' and watch_key = any($1)",
        values: [scripts],
      });
    },
  };
}

/** Extracts the output scripts of a raw block in hex without any checks or hashing. */
function outputScripts(bytes: Buffer): readonly string[] {
  let at = 80;
  const count = (): number => {
    const first = bytes[at] ?? 0;
    at += 1;
    if (first < 0xfd) return first;
    const length = first === 0xfd ? 2 : 4;
    at += length;
    return bytes.readUIntLE(at - length, length);
  };
  const skip = (): void => {
    const length = count();
    at += length;
  };
  const scripts: string[] = [];
  for (let transactions = count(); transactions > 0; transactions -= 1) {
    at += 4;
    const hasWitness = bytes[at] === 0;
    if (hasWitness) at += 2;
    const inputs = count();
    for (let input = 0; input < inputs; input += 1) {
      at += 36;
      skip();
      at += 4;
    }
    for (let outputs = count(); outputs > 0; outputs -= 1) {
      at += 8;
      const length = count();
      scripts.push(bytes.toString("hex", at, at + length));
      at += length;
    }
    if (hasWitness)
      for (let input = 0; input < inputs; input += 1)
        for (let items = count(); items > 0; items -= 1) skip();
    at += 4;
  }
  return scripts;
}
