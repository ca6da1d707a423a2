/**
 * Sweeps of a token on a real EVM whose contract behaves differently when the transaction is mined than when it was surveyed: the
 * books contain only what arrived, and no longer contain what is gone.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { money } from "../../src/platform/kernel/money.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { sweepDeposits } from "../../src/treasury/sweeping/sweep-deposits.ts";
import {
  type Behavior,
  type ConfigurableToken,
  deployConfigurableToken,
} from "../support/configurable-token.ts";
import { useDatabase } from "../support/database.ts";
import { type DelegateTools, delegateToolsOn, keyAt } from "../support/delegated.ts";
import {
  type AdapterUnderTest,
  connectEvm,
  currenciesOf,
  type PrivateEvm,
  signal,
  startPrivateEvm,
  usdc,
  usdt,
} from "../support/private-evm.ts";
import { openSweepSite, type SweepSite, sweptEvm } from "../support/sweep-site.ts";

const hot = keyAt(1, 0).address;
const database = useDatabase();

let chain: PrivateEvm;
let tools: DelegateTools;
let token: ConfigurableToken;
let connection: AdapterUnderTest;
let site: SweepSite;
let wallet: Awaited<ReturnType<SweepSite["arrangeWallet"]>>;

beforeAll(async () => {
  chain = await startPrivateEvm();
  tools = delegateToolsOn(chain);
  token = await deployConfigurableToken(chain);
  const currencies = currenciesOf("ETH", {
    [usdt]: token.address,
    [usdc]: chain.contracts.usdc,
  });
  connection = connectEvm({ url: chain.anvil.url, currencies });
  await tools.setBalance(keyAt(2, 0).address, 10n ** 20n);
  // A dollar is worth 0.0005 ether.
  const rates = new Map([
    [usdt, [5n, 4]],
    [usdc, [5n, 4]],
  ] as const);
  site = openSweepSite(database, sweptEvm(chain, connection), { currencies, rates });
  wallet = await site.arrangeWallet(usdt);
});
beforeEach(() => token.setBehavior("good"));
afterAll(async () => {
  await connection.close();
  await chain.stop();
});

let nextIndex = 900;
const held = 100_000_000n;

/** Two deposit addresses with the misbehaving token and an honest one, read from blocks at a sufficient depth. */
async function paid(): Promise<readonly string[]> {
  const keys = [nextIndex, nextIndex + 1];
  nextIndex += keys.length;
  for (const keyIndex of keys) {
    const { address } = keyAt(0, keyIndex);
    await token.pay(address, held);
    await tools.pay("DollarLike", chain.contracts.usdc, address, held);
    for (const currency of [usdt, usdc])
      await site.note({ keyIndex, currency, units: held, wallet });
  }
  await chain.mine(40);
  return keys.map((keyIndex) => keyAt(0, keyIndex).address);
}

const turn = (): Promise<number> => sweepDeposits(site.context, signal);

/** The misbehaving token's balance in the books, debits less credits. */
async function booked(): Promise<Readonly<Record<string, bigint>>> {
  const rows = await database.sql<{ account: string; units: bigint }>(
    `select account, sum(units) as units from (
       select debit as account, units from posting where currency = $1
       union all select credit, -units from posting where currency = $1) as side
     group by account having sum(units) <> 0`,
    [usdt],
  );
  return Object.fromEntries(rows.map(({ account, units }) => [account, units]));
}

describe("sweeping unusual tokens", () => {
  it("deploys the delegate first", async () => {
    await paid();
    expect(await turn()).toBe(1);
    await site.carryOut();
    expect(await turn()).toBe(1);
    await site.carryOut();
    expect(await turn()).toBe(0);
    expect([await token.held(hot), await booked()]).toEqual([2n * held, {}]);
  });

  it.each<readonly [Behavior, bigint, bigint]>([
    ["refusing", 0n, 0n],
    ["reverting", 0n, 0n],
    ["burning", 0n, 0n],
    ["idle", 0n, 0n],
    ["halving", held, 0n],
    ["keepingAFee", 2n * held - 2_000_000n, 2_000_000n],
    ["astray", 0n, 2n * held],
  ])(
    "books what the chain shows of a token that is %s: %s units received and %s lost",
    async (behavior, arrived, lostUnits) => {
      const addresses = await paid();
      const honest = await tools.tokenOf(chain.contracts.usdc, hot);
      const before = { hot: await token.held(hot), books: await booked() };
      expect(await turn()).toBe(1);
      await token.setBehavior(behavior);
      await site.carryOut();
      await token.setBehavior("good");
      const left = await Promise.all(addresses.map((address) => token.held(address)));
      expect((await token.held(hot)) - before.hot).toBe(arrived);
      expect(left.reduce((sum, units) => sum + units, 0n)).toBe(2n * held - arrived - lostUnits);
      expect((await tools.tokenOf(chain.contracts.usdc, hot)) - honest).toBe(2n * held);
      const lost = lostUnits + (before.books[`unresolved/${usdt}`] ?? 0n);
      expect(await booked()).toEqual(
        lost === 0n ? {} : { [`chain/${usdt}`]: -lost, [`unresolved/${usdt}`]: lost },
      );
      // What did not move is retried after its delay, and moves now.
      for (let round = 0; round < 3; round += 1) {
        if ((await turn()) > 0) await site.carryOut();
        site.clock.advance(86_401);
      }
      expect((await token.held(hot)) - before.hot).toBe(2n * held - lostUnits);
    },
  );

  /** How often in a row the misbehaving token at these addresses, which waits for another attempt, could not be swept. */
  const delayed = async (addresses: readonly string[]): Promise<readonly number[]> => {
    const rows = await database.sql<{ failures: number }>(
      "select failures from holding where currency = $1 and watch_key = any($2) and retry_at > $3",
      [usdt, addresses.map((one) => one.toLowerCase()), formatTimestamp(site.clock.now())],
    );
    return rows.map(({ failures }) => failures);
  };

  it.each<Behavior>(["blind", "silent"])(
    "sweeps other currencies while a token's contract is %s, and the token once it answers",
    async (behavior) => {
      const addresses = await paid();
      const before = await token.held(hot);
      const honest = await tools.tokenOf(chain.contracts.usdc, hot);
      await token.setBehavior(behavior);
      site.demand.push(money(10n ** 15n, usdt));
      expect(await turn()).toBe(1);
      site.demand.length = 0;
      await site.carryOut();
      expect((await tools.tokenOf(chain.contracts.usdc, hot)) - honest).toBe(2n * held);
      expect(await delayed(addresses)).toEqual([1, 1]);
      expect(await turn()).toBe(0);
      await token.setBehavior("good");
      // It tells what it holds in the newest blocks only, and final balances are those of older ones.
      await chain.mine(40);
      site.clock.advance(86_401);
      expect(await turn()).toBe(1);
      await site.carryOut();
      expect(await turn()).toBe(0);
      expect((await token.held(hot)) - before).toBe(2n * held);
      expect(await delayed(addresses)).toEqual([]);
    },
  );

  it("settles a sweep whose token no longer tells what is left, and looks again later", async () => {
    const addresses = await paid();
    const before = await token.held(hot);
    expect(await turn()).toBe(1);
    await site.carryOut();
    await token.setBehavior("silent");
    expect(await turn()).toBe(0);
    expect(await database.sql("select from sweep_source where settled_at is null")).toEqual([]);
    expect(await delayed(addresses)).toEqual([1, 1]);
    await token.setBehavior("good");
    await chain.mine(40);
    site.clock.advance(86_401);
    expect(await turn()).toBe(0);
    expect((await token.held(hot)) - before).toBe(2n * held);
    const left = "select from holding where currency = $1 and watch_key = any($2) and units > 0";
    const keys = addresses.map((one) => one.toLowerCase());
    expect(await database.sql(left, [usdt, keys])).toEqual([]);
  });
});
