import { describe, expect, it } from "vitest";
import {
  defaultFollowerSettings,
  type FollowerContext,
} from "../../src/chains/follow/follower-session.ts";
import type { Destination } from "../../src/chains/port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { listSpendableCoins } from "../../src/treasury/holdings/coin.store.ts";
import { ensureTreasury, nextChangeAddress } from "../../src/treasury/holdings/ensure-treasury.ts";
import { useDatabase } from "../support/database.ts";
import { arrangeDeposit, arrangeWallet, btc } from "../support/deposit-world.ts";
import { hold, stepUntilIdle } from "../support/followed-chain.ts";
import { fc } from "../support/property.ts";
import type { SimulatedChain } from "../support/simulated-chain.ts";
import { type TreasuryWorld, treasuryWorld } from "../support/treasury-world.ts";

/*
 * Random histories of deposits, funds of our own and spends on a UTXO chain, with reorgs at every depth. Whenever the
 * follower is idle, our coins are exactly the best chain's unspent outputs to us, and the ledger's `chain/BTC` is
 * their sum.
 */

const database = useDatabase();
const { db, sql } = database;

type Event =
  | { readonly kind: "deposit"; readonly units: bigint; readonly twice: boolean }
  | { readonly kind: "float"; readonly units: bigint }
  | { readonly kind: "spend"; readonly coins: number; readonly leaves: boolean }
  | { readonly kind: "mine"; readonly blocks: number; readonly empty: boolean }
  | { readonly kind: "reorg"; readonly depth: number; readonly mineAgain: boolean }
  | { readonly kind: "follow" };

const units = fc.bigInt({ min: 1_000n, max: 9_000n });
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant("deposit" as const), units, twice: fc.boolean() }),
  fc.record({ kind: fc.constant("float" as const), units }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("spend" as const),
      coins: fc.integer({ min: 1, max: 3 }),
      leaves: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("mine" as const),
      blocks: fc.integer({ min: 1, max: 3 }),
      empty: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("reorg" as const),
      depth: fc.integer({ min: 1, max: 5 }),
      mineAgain: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ kind: "follow" as const }) },
);

type World = {
  readonly treasury: TreasuryWorld;
  readonly node: SimulatedChain;
  readonly context: FollowerContext;
  readonly deposit: Destination;
  readonly ours: Set<string>;
};

/** State that a history must not leave to the next one. */
const tables = [
  ...[
    "chain_cursor",
    "chain_block",
    "scanned_range",
    "coin",
    "treasury_address",
    "treasury_arrival",
  ],
  ...[
    "spend_claim",
    "spend_attempt",
    "spend",
    "transfer",
    "deposit",
    "address",
    "posting",

    "callback",
    "event",
  ],
];

const outside = { address: "outside", addressType: null, tag: null };

async function begin(): Promise<World> {
  for (const table of tables) await sql(`delete from ${table}`);
  const treasury = treasuryWorld(database);
  const { clock, bitcoin, ownTxids, node } = treasury;
  await ensureTreasury({ db, clock }, [bitcoin]);
  const wallet = await arrangeWallet(treasury, { currency: btc });
  const deposit = await arrangeDeposit(treasury, wallet);
  const address = present(deposit.address, "an address").toLowerCase();
  const float = present(bitcoin.addressing.changeAt, "change")(0);
  return {
    treasury,
    node,
    context: {
      db,
      clock,
      random: systemRandom,
      logger: silentLogger,
      adapter: bitcoin,
      ownTxids,
      supplyOf: () => null,
      sink: treasury.sink,
      holder: "one",
      startHeight: 0,
      settings: defaultFollowerSettings,
      onProgress: () => undefined,
    },
    deposit: { address, addressType: null, tag: null },
    ours: new Set([address, float.address]),
  };
}

async function act(world: World, event: Event): Promise<void> {
  const { node, deposit, treasury } = world;
  treasury.clock.advance(1);
  switch (event.kind) {
    case "deposit": {
      const output = { to: deposit, units: event.units };
      node.submit(event.twice ? [output, output] : [output]);
      return;
    }
    case "float": {
      const to = present(treasury.bitcoin.addressing.changeAt, "change")(0);
      node.submit([{ to, units: event.units }]);
      return;
    }
    case "spend":
      await spend(world, event.coins, event.leaves);
      return;
    case "mine":
      node.mine(event.blocks, { empty: event.empty });
      return;
    case "reorg": {
      const depth = Math.min(event.depth, node.tip().height);
      if (depth > 0) node.reorg(depth, { mineAgain: event.mineAgain });
      return;
    }
    case "follow":
      await follow(world);
      return;
  }
}

/** A spend as the service makes it: coins, change and claims in one transaction, then broadcast. */
async function spend(world: World, count: number, leaves: boolean): Promise<void> {
  const { treasury, node, ours } = world;
  const coins = await listSpendableCoins(db, "BTC", { confirmations: 1, limit: count });
  if (coins.length === 0) return;
  const change = await db.transaction((tx) =>
    nextChangeAddress(tx, treasury.bitcoin, treasury.clock.now()),
  );
  ours.add(change.address);
  const total = coins.reduce((sum, coin) => sum + coin.units, 0n);
  const [fee, left] = [50n, leaves ? 100n : 0n];
  const claims = coins.map(({ claim }) => claim);
  const to = { address: change.address, addressType: null, tag: null };
  const txid = node.submit(
    [{ to, units: total - fee - left }, ...(leaves ? [{ to: outside, units: left }] : [])],
    { spends: claims },
  );
  const kind = leaves ? "cold" : "consolidation";
  await treasury.spend({ chain: "BTC", kind, txid, claims, feeUnits: fee, leftUnits: left });
}

async function follow(world: World): Promise<void> {
  const session = await hold(world.context);
  try {
    await stepUntilIdle(world.context, session);
  } finally {
    await session.end();
  }
  await check(world);
}

async function check({ node, ours, treasury }: World): Promise<void> {
  const transactions = node.blocks().flatMap((block) => block.transactions);
  const used = new Set(transactions.flatMap(({ spends }) => spends));
  const unspent = transactions.flatMap(({ txid, outputs }) =>
    outputs.flatMap(({ to, units: amount }, index) =>
      ours.has(to.address) && !used.has(`${txid}:${index}`)
        ? [{ outpoint: `${txid}:${index}`, units: amount }]
        : [],
    ),
  );
  const coins = await sql<{ outpoint: string; units: bigint }>(
    "select outpoint, units from coin where block_height is not null and spent_height is null order by outpoint",
  );
  expect(coins).toEqual(unspent.toSorted((one, two) => (one.outpoint < two.outpoint ? -1 : 1)));
  const held = unspent.reduce((sum, coin) => sum + coin.units, 0n);
  expect(await treasury.booked(btc)).toBe(held);
}

describe("random treasury histories", () => {
  it("end with coins and a ledger that match the best chain", async () => {
    const numRuns = Number(process.env["SLUICE_SIMULATION_RUNS"] ?? 25);
    let spent = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 30, maxLength: 60, size: "max" }),
        async (events) => {
          const world = await begin();
          for (const each of events) await act(world, each);
          world.node.mine(8);
          await follow(world);
          spent += (await sql("select from spend")).length;
        },
      ),
      { numRuns },
    );
    expect(spent).toBeGreaterThan(numRuns);
  }, 900_000);
});
