/**
 * The sweeper's job against a real EVM and a real database: from block data, through spends that the pipeline signs and
 * broadcasts, to the remaining balances of the addresses.
 */
import type { Address } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { money } from "../../src/platform/kernel/money.ts";
import { addHoldings } from "../../src/treasury/holdings/holding.store.ts";
import { refreshUnusable } from "../../src/treasury/holdings/refresh-unusable.ts";
import { watchKeyOf } from "../../src/treasury/sweeping/deposit-address.ts";
import { releasePrepared } from "../../src/treasury/sweeping/release-prepared.ts";
import { sweepDeposits } from "../../src/treasury/sweeping/sweep-deposits.ts";
import { useDatabase } from "../support/database.ts";
import { type DelegateTools, delegateToolsOn, keyAt } from "../support/delegated.ts";
import {
  type AdapterUnderTest,
  connectEvm,
  eth,
  type PrivateEvm,
  signal,
  startPrivateEvm,
  usdc,
  usdt,
} from "../support/private-evm.ts";
import { openSweepSite, type SweepSite, sweptEvm } from "../support/sweep-site.ts";

const hot = keyAt(1, 0).address;
const gasAccount = keyAt(2, 0).address;
const database = useDatabase();

let chain: PrivateEvm;
let tools: DelegateTools;
let connection: AdapterUnderTest;
let site: SweepSite;
let wallet: Awaited<ReturnType<SweepSite["arrangeWallet"]>>;

beforeAll(async () => {
  chain = await startPrivateEvm();
  tools = delegateToolsOn(chain);
  connection = connectEvm({ url: chain.anvil.url, currencies: chain.currencies });
  await tools.setBalance(gasAccount, 10n ** 20n);
  site = openSweepSite(database, sweptEvm(chain, connection), {
    currencies: chain.currencies,
    // A dollar is worth 0.0005 ether.
    rates: new Map([
      [usdt, [5n, 4]],
      [usdc, [5n, 4]],
    ]),
  });
  wallet = await site.arrangeWallet(usdt);
});
afterAll(async () => {
  await connection.close();
  await chain.stop();
});

let nextIndex = 300;

/** Pays a new deposit address and records the payment at a final depth. */
async function paid(
  amounts: Partial<Record<"usdt" | "usdc" | "ether", bigint>>,
  disposition = "credited",
): Promise<{ readonly keyIndex: number; readonly address: Address }> {
  const keyIndex = nextIndex;
  nextIndex += 1;
  const { address } = keyAt(0, keyIndex);
  const { usdt: ofUsdt, usdc: ofUsdc, ether } = amounts;
  const note = (currency: typeof usdt, units: bigint): Promise<void> =>
    site.note({ keyIndex, currency, units, wallet, disposition });
  if (ofUsdt !== undefined) {
    await tools.pay("TetherLike", chain.contracts.usdt, address, ofUsdt);
    await note(usdt, ofUsdt);
  }
  if (ofUsdc !== undefined) {
    await tools.pay("DollarLike", chain.contracts.usdc, address, ofUsdc);
    await note(usdc, ofUsdc);
  }
  if (ether !== undefined) {
    await tools.setBalance(address, ether);
    await note(eth, ether);
  }
  await chain.mine(40);
  return { keyIndex, address };
}

/** Pays an address again, and records the payment as the follower does. */
async function paidAgain(
  { keyIndex, address }: { readonly keyIndex: number; readonly address: Address },
  units: bigint,
): Promise<void> {
  await tools.pay("TetherLike", chain.contracts.usdt, address, units);
  await chain.mine(40);
  const { chain: name, addressing } = site.context.chain;
  const watchKey = watchKeyOf(addressing, { address, keyIndex });
  const { height } = await connection.adapter.reader.tip(signal);
  const arrival = { ...wallet, watchKey, currency: usdt, keyIndex, units };
  await addHoldings(database.db, name, height, [arrival]);
}

const dollars = (count: number): bigint => BigInt(count) * 10n ** 6n;
const turn = (): Promise<number> => sweepDeposits(site.context, signal);
const usdtOf = (address: Address): Promise<bigint> => tools.tokenOf(chain.contracts.usdt, address);

async function holdingsOf(keyIndex: number) {
  return await database.sql<{ units: bigint; failures: number; retry_at: number | null }>(
    "select units, failures, retry_at from holding where key_index = $1 order by currency",
    [keyIndex],
  );
}

describe("sweeping deposits", () => {
  it("deploys the delegate first, then empties all addresses with tokens in one spend, and sweeps ether separately", async () => {
    const first = await paid({ usdt: dollars(5) });
    const second = await paid({ usdt: dollars(6), usdc: dollars(7), ether: 10n ** 18n });
    const third = await paid({ ether: 10n ** 18n });
    expect(await turn()).toBe(2);
    await site.carryOut();
    expect(await tools.coinOf(third.address)).toBe(0n);
    expect(await turn()).toBe(1);
    await site.carryOut();
    expect(await site.spends()).toEqual([
      { kind: "sweep", state: "confirmed" },
      { kind: "sweep", state: "confirmed" },
      { kind: "sweep", state: "confirmed" },
    ]);
    expect(await usdtOf(hot)).toBe(dollars(11));
    expect(await tools.tokenOf(chain.contracts.usdc, hot)).toBe(dollars(7));
    for (const { address } of [first, second]) expect(await usdtOf(address)).toBe(0n);
    expect(await turn()).toBe(0);
    expect(await holdingsOf(second.keyIndex)).toEqual(
      Array.from({ length: 3 }, () => ({ units: 0n, failures: 0, retry_at: null })),
    );
    // The fee is the operator's, not a wallet's.
    const posted = await database.sql<{ debit: string; credit: string; account_id: string }>(
      "select distinct debit, credit, account_id from posting",
    );
    expect(posted).toEqual([{ debit: "fees/1002", credit: "chain/1002", account_id: "0" }]);
  });

  it("leaves money alone that screening blocked or another spend is moving", async () => {
    const blocked = await paid({ usdt: dollars(5) }, "blocked");
    const open = await paid({ usdt: dollars(5) });
    expect(await turn()).toBe(1);
    expect(await turn()).toBe(0);
    await site.carryOut();
    expect(await turn()).toBe(0);
    expect(await usdtOf(open.address)).toBe(0n);
    expect(await usdtOf(blocked.address)).toBe(dollars(5));
  });

  it("leaves amounts below their fee, reports them as unusable, and sweeps them when payouts need them", async () => {
    // A base fee of 10 gwei: 100,000 gas are 0.001 ether, two dollars.
    const price = (gwei: bigint): Promise<unknown> =>
      tools.rpc("anvil_setNextBlockBaseFeePerGas", [`0x${(gwei * 10n ** 9n).toString(16)}`]);
    await paid({ usdt: dollars(4) });
    await price(10n);
    await chain.mine();
    expect(await turn()).toBe(0);
    await refreshUnusable([site.context], signal);
    const unusable = await database.sql("select unusable from wallet_balance");
    expect(unusable).toEqual([{ unusable: dollars(4) }]);

    site.demand.push(money(dollars(1_000), usdt));
    await price(10n);
    await chain.mine();
    expect(await turn()).toBe(1);
    site.demand.length = 0;
    await site.carryOut();
    expect(await turn()).toBe(0);
    await refreshUnusable([site.context], signal);
    const left = await database.sql("select unusable from wallet_balance");
    expect(left).toEqual([{ unusable: 0n }]);
  });

  it("retries a sweep that moved nothing, with growing delays", async () => {
    const deposit = await paid({ usdt: dollars(9) });
    site.refuse("not today");
    expect(await turn()).toBe(1);
    await site.carryOut();
    expect(await turn()).toBe(0);
    expect(await holdingsOf(deposit.keyIndex)).toMatchObject([{ units: dollars(9), failures: 1 }]);
    site.refuse(null);
    site.clock.advance(599);
    expect(await turn()).toBe(0);
    site.clock.advance(2);
    expect(await turn()).toBe(1);
    await site.carryOut();
    expect(await turn()).toBe(0);
    expect(await holdingsOf(deposit.keyIndex)).toEqual([
      { units: 0n, failures: 0, retry_at: null },
    ]);
  });

  it("sweeps an address again at once that was paid more in the meantime", async () => {
    const deposit = await paid({ usdt: dollars(9) });
    expect(await turn()).toBe(1);
    await site.carryOut();
    await paidAgain(deposit, dollars(30));
    expect(await turn()).toBe(1);
    await site.carryOut();
    expect(await turn()).toBe(0);
    expect(await usdtOf(deposit.address)).toBe(0n);
  });

  it("sweeps what arrives after the node has answered how much the address holds", async () => {
    const deposit = await paid({ usdt: dollars(9) });
    expect(await turn()).toBe(1);
    await site.carryOut();
    const { sweeper } = site.context.chain;
    let isPaid = false;
    const survey: typeof sweeper.survey = async (addresses, stop) => {
      const answer = await sweeper.survey(addresses, stop);
      if (addresses.length > 0 && !isPaid) {
        isPaid = true;
        await paidAgain(deposit, dollars(9));
      }
      return answer;
    };
    const swept = { ...site.context.chain, sweeper: { ...sweeper, survey } };
    expect(await sweepDeposits({ ...site.context, chain: swept }, signal)).toBe(1);
    expect(isPaid).toBe(true);
    await site.carryOut();
    expect(await turn()).toBe(0);
    expect(await usdtOf(deposit.address)).toBe(0n);
  });

  it("raises the fee of a sweep that is pending for too long, and one of the two is mined", async () => {
    const deposit = await paid({ usdt: dollars(9) });
    expect(await turn()).toBe(1);
    await site.send();
    site.clock.advance(3_600);
    await site.replace();
    await site.carryOut();
    expect(await usdtOf(deposit.address)).toBe(0n);
    const attempts = await database.sql(
      "select number, state from spend_attempt where spend_id = (select max(id) from spend) order by number",
    );
    expect(attempts).toEqual([
      { number: 1, state: "dead" },
      { number: 2, state: "mined" },
    ]);
    expect(await turn()).toBe(0);
  });

  it("ends a delegation that has long been unused", async () => {
    const deposit = await paid({ usdt: dollars(9) });
    expect(await turn()).toBe(1);
    await site.carryOut();
    await turn();
    await releasePrepared(site.context, signal);
    expect(await tools.codeOf(deposit.address)).not.toBe("0x");
    site.clock.advance(site.context.settings.idleSeconds + 1);
    await releasePrepared(site.context, signal);
    await site.carryOut();
    expect(await tools.codeOf(deposit.address)).toBe("0x");
    await releasePrepared(site.context, signal);
    expect(await database.sql("select * from delegation")).toEqual([]);
    expect((await site.spends()).at(-1)).toEqual({ kind: "undelegate", state: "confirmed" });
  });
});
