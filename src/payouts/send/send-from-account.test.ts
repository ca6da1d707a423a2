import { beforeEach, describe, expect, it } from "vitest";
import { readBlock } from "../../../test/support/block-reading.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { emptyDatabase } from "../../../test/support/database-backup.ts";
import {
  askForPayout,
  coinId,
  createPayoutSite,
  floatUnits,
  type PayoutSite,
  receiverOf,
  sendContext,
  tokenId,
} from "../../../test/support/payout-site.ts";
import type { ChainWriter } from "../../chains/paying-port.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { createPayoutPipeline } from "./run-payouts.ts";

/* Payouts that an account cannot make now delay no others, before or after them. */

const database = useDatabase();
const { db, sql } = database;
const { signal } = new AbortController();

beforeEach(() => emptyDatabase(database));

type Account = NonNullable<ChainWriter["account"]>;

/** Payouts to distinct addresses; the account has `floatUnits` of both currencies. */
async function arrange(requests: readonly (readonly [CurrencyId, bigint])[]): Promise<PayoutSite> {
  const site = await createPayoutSite(database, { funding: "account", confirmations: 1 });
  while (await readBlock(site, db));
  // By the ledger there is enough for all.
  await sql("update wallet_balance set available = available + $1", [floatUnits]);
  for (const [number, [currency, units]] of requests.entries())
    await askForPayout(site, { number, currency, units, feeUnits: 20n });
  site.clock.advance(5);
  return site;
}

function pipelineOf(
  site: PayoutSite,
  change: (account: Account) => Partial<Account> = () => ({}),
): () => Promise<void> {
  const { writer } = site.node;
  const account = present(writer.account, "accounts");
  const changed = { ...writer, account: { ...account, ...change(account) } };
  const context = sendContext(site, { db, writer: changed, signer: site.signer });
  const pipeline = createPayoutPipeline(context);
  return () => pipeline(signal);
}

async function stages(): Promise<string> {
  const rows = await sql<{ stage: string }>("select stage from payout order by id");
  return rows.map(({ stage }) => stage).join(", ");
}

describe("sendFromAccount", () => {
  it.each([
    [0, "held, sending, sending, sending"],
    [1, "sending, held, sending, sending"],
  ])("skips payout %i, for which the node has no answer even alone: %s", async (bad, after) => {
    const site = await arrange(Array.from({ length: 4 }, () => [coinId, 1_000n] as const));
    const unansweredAddress = site.addressing.depositAt(1_000 + bad, null).address;
    let isSilent = true;
    const pass = pipelineOf(site, (account) => ({
      draftEach: (address, payments, ...rest) =>
        isSilent &&
        payments.some(({ payment }) => payment.destination.address === unansweredAddress)
          ? Promise.reject(new Unavailable("node", "no answer in time"))
          : account.draftEach(address, payments, ...rest),
    }));
    for (let number = 0; number < 6; number += 1) await pass().catch(() => undefined);
    expect(await stages()).toBe(after);
    await expect(pass()).rejects.toThrow("no answer in time");
    isSilent = false;
    await pass();
    expect(await stages()).toBe("sending, sending, sending, sending");
  });

  it("blocks payouts whose receivers can no longer be paid, and sends the others", async () => {
    const site = await arrange(Array.from({ length: 4 }, () => [coinId, 1_000n] as const));
    const { receivers } = site.chain;
    const name = (number: number) => receiverOf(site, number);
    receivers.set(name(0), { kind: "impossible", member: "address", reason: "It was closed." });
    receivers.set(name(1), { kind: "needsActivation", minimumUnits: 1_001n });
    receivers.set(name(2), { kind: "needsActivation", minimumUnits: 1_000n });
    await pipelineOf(site)();
    expect(await stages()).toBe("blocked, blocked, sending, sending");
    const messages = await sql<{ message: string }>(
      "select message from payout where stage = 'blocked' order by id",
    );
    expect(messages.map(({ message }) => message)).toEqual([
      "It was closed.",
      "The receiver's account does not exist, and creating it takes at least 1001 units",
    ]);
    site.chain.mine();
    const paid = site.chain.blocks().at(-1)?.applied ?? [];
    expect(paid.map(({ hasSucceeded }) => hasSucceeded)).toEqual([true, true]);
  });

  it("lets a payout wait for an account that another one creates, if only one can, and pays it afterwards", async () => {
    const site = await arrange([[coinId, 1_000n]]);
    for (const number of [0, 1])
      await askForPayout(site, { number, currency: coinId, units: 1_000n, feeUnits: 20n });
    site.clock.advance(5);
    const { receivers } = site.chain;
    for (const number of [0, 1])
      receivers.set(receiverOf(site, number), {
        kind: "needsActivation",
        minimumUnits: 1_000n,
        createdOnce: true,
      });
    const pass = pipelineOf(site);
    await pass();
    expect(await stages()).toBe("sending, held, sending");
    await pass();
    expect(await stages()).toBe("sending, held, sending");
    site.chain.mine();
    // The accounts exist now.
    receivers.clear();
    while (await readBlock(site, db));
    await pass();
    expect(await stages()).toBe("confirmed, sending, confirmed");
    site.chain.mine();
    while (await readBlock(site, db));
    expect(await stages()).toBe("confirmed, confirmed, confirmed");
  });

  it("leaves a payout waiting while the node does not answer for its receiver", async () => {
    const site = await arrange(Array.from({ length: 3 }, () => [coinId, 1_000n] as const));
    let isSilent = true;
    const pass = pipelineOf(site, () => ({
      receiver: ({ address }) =>
        isSilent && address === receiverOf(site, 1)
          ? Promise.reject(new Unavailable("node", "no such account"))
          : Promise.resolve({ kind: "ready" }),
    }));
    await expect(pass()).rejects.toThrow("no such account");
    expect(await stages()).toBe("sending, held, sending");
    isSilent = false;
    await pass();
    expect(await stages()).toBe("sending, sending, sending");
  });

  it("never spends what the chain keeps back of the account", async () => {
    const site = await arrange([
      [coinId, floatUnits - 1_000n],
      [tokenId, floatUnits],
      [coinId, 900n],
    ]);
    site.chain.reserve = 1_000n;
    const pass = pipelineOf(site);
    await pass();
    expect(await stages()).toBe("held, sending, sending");
    site.chain.mine();
    const { balances } = site.chain.stateAt(site.chain.tip().height);
    expect(balances.get(`${site.hot} ${coinId}`)).toBeGreaterThanOrEqual(1_000n);
    site.chain.reserve = 0n;
  });

  it("skips a currency whose balance the node does not report", async () => {
    const site = await arrange([
      [coinId, 1_000n],
      [tokenId, 10n],
      [coinId, 1_000n],
    ]);
    const pass = pipelineOf(site, (account) => ({
      funds: (address, currency, ...rest) =>
        currency === tokenId
          ? Promise.reject(new Unavailable("node", "balanceOf: execution reverted"))
          : account.funds(address, currency, ...rest),
    }));
    await expect(pass()).rejects.toThrow("execution reverted");
    expect(await stages()).toBe("sending, held, sending");
  });

  it.each<[string, readonly (readonly [CurrencyId, bigint])[], string]>([
    [
      "the fee of one before it",
      [
        [tokenId, 10n],
        [coinId, floatUnits - 5n],
      ],
      "sending, held",
    ],
    [
      "the fee of one behind it",
      [
        [coinId, floatUnits - 5n],
        [tokenId, 10n],
      ],
      "held, sending",
    ],
    [
      "the amount of one behind it",
      [
        [coinId, floatUnits - 5n],
        [coinId, 1_000n],
      ],
      "held, sending",
    ],
  ])(
    "skips a payout that covers its amount but not its fee, next to %s",
    async (_of, requested, after) => {
      const site = await arrange(requested);
      await pipelineOf(site)();
      expect(await stages()).toBe(after);
    },
  );
});
