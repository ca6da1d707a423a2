import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SpendStatus } from "../../src/chains/paying-port.ts";
import { newestHeader } from "../../src/chains/tron/questions.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { startHttpGateway } from "../support/http-gateway.ts";
import { type PrivateTron, startPrivateTron } from "../support/private-tron.ts";
import {
  coin,
  fund,
  openTronAccounts,
  payment,
  type Signed,
  signal,
  sunPerTrx,
  type TronAccounts,
  tether,
} from "../support/tron-accounts.ts";

/*
 * Payouts of TRX and of a token on the simulated ledger. Every transaction is drafted by the adapter, signed by the signer's own
 * code, and read back with tronweb.
 */

let ledger: PrivateTron;
let own: TronAccounts;

beforeAll(async () => {
  ledger = await startPrivateTron();
  own = openTronAccounts(ledger);
  await fund(ledger, own.hot, { sun: 100_000n * sunPerTrx, tokens: 1_000_000_000_000n });
  // Uses up the free bandwidth of the day, so that fees are those of an account that has none.
  await own.pay(payment(ledger.faucet, coin, 1n));
  await own.pay(payment(ledger.faucet, coin, 2n));
  await ledger.mine(20);
});
afterAll(async () => {
  await own.close();
  await ledger.stop();
});

const statusOf = ({ txid, draft }: Signed): Promise<SpendStatus> =>
  own.writer.status(txid, draft, signal);
const quote = (to: string, currency: typeof coin, units: bigint) =>
  own.writer.quote(
    {
      payment: payment(to, currency, units),
      funds: { kind: "account", address: own.hot, sequence: null },
      balance: units,
    },
    signal,
  );
/** The fee that the chain charged for a transaction, by tronweb. */
const burned = async (txid: string): Promise<bigint> => {
  const { fee = 0 } = (await ledger.web.trx.getUnconfirmedTransactionInfo(txid)) as {
    fee?: number;
  };
  return BigInt(fee);
};

describe("a payout of TRX", () => {
  it("costs exactly its quote, the price of its bytes, and arrives in full", async () => {
    const units = 5n * sunPerTrx;
    const fees = await quote(ledger.faucet, coin, units);
    expect(fees.low).toBe(fees.high);
    const before = await ledger.web.trx.getUnconfirmedBalance(ledger.faucet);
    const paid = await own.pay(payment(ledger.faucet, coin, units));
    // The signer cannot know that the receiver exists.
    expect(paid.draft.feeUnits).toBe(1_100_000n);
    await ledger.mine();
    expect(await burned(paid.txid)).toBe(fees.medium);
    expect(await ledger.web.trx.getUnconfirmedBalance(ledger.faucet)).toBe(before + Number(units));
  });

  it("costs exactly the activation fee if its receiver does not exist yet", async () => {
    const { address } = await ledger.newAccount();
    const destination = { address, addressType: null, tag: null };
    const receiver = present(own.writer.account?.receiver, "receivers");
    expect(await receiver(destination, coin, signal)).toEqual({
      kind: "needsActivation",
      minimumUnits: 1n,
    });
    const fees = await quote(address, coin, 10n * sunPerTrx);
    expect(fees).toMatchObject({ low: 1_100_000n, medium: 1_100_000n, high: 1_100_000n });
    const paid = await own.pay(payment(address, coin, 10n * sunPerTrx));
    await ledger.mine();
    expect(await burned(paid.txid)).toBe(1_100_000n);
    expect(await receiver(destination, coin, signal)).toEqual({ kind: "ready" });
  });

  it("is pending until its block is solid, and then mined with the fee that it burned", async () => {
    const paid = await own.pay(payment(ledger.faucet, coin, 3n));
    expect(await statusOf(paid)).toEqual({ kind: "pending" });
    await ledger.mine();
    expect(await statusOf(paid)).toEqual({ kind: "pending" });
    await ledger.mine(19);
    const status = await statusOf(paid);
    expect(status).toMatchObject({
      kind: "mined",
      txid: paid.txid,
      hasSucceeded: true,
      feeUnits: await burned(paid.txid),
    });
    const solid = await own.node.consult((ask) => ask(newestHeader("walletsolidity")), signal);
    expect(status).toMatchObject({ block: solid });
  });

  it("is signed even if prices are below those that the signer assumes", async () => {
    const parameters = ["getTransactionFee", "getCreateAccountFee"];
    for (const name of parameters) await ledger.control("/set-parameter", { name, value: 10 });
    try {
      const paid = await own.pay(payment(ledger.faucet, coin, 4n));
      expect(paid.draft.feeUnits).toBe(1_100_000n);
      await own.pay(payment(ledger.faucet, tether, 4n));
      await ledger.mine();
      expect(await burned(paid.txid)).toBeLessThan(10_000n);
    } finally {
      await ledger.control("/set-parameter", { name: "getTransactionFee", value: 1_000 });
      await ledger.control("/set-parameter", { name: "getCreateAccountFee", value: 100_000 });
    }
  });

  it("is impossible to a contract or to the paying account", async () => {
    const receiver = present(own.writer.account?.receiver, "receivers");
    const toContract = payment(ledger.usdt, coin, 1n);
    expect(await receiver(toContract.destination, coin, signal)).toMatchObject({
      kind: "impossible",
      member: "address",
    });
    for (const refused of [toContract, payment(own.hot, coin, 1n)])
      await expect(own.draftPayout(refused)).rejects.toThrow(/"impossible"/);
  });

  it("is insufficient if the account lacks the amount or the fee", async () => {
    const held = BigInt(await ledger.web.trx.getUnconfirmedBalance(own.hot));
    for (const units of [held + 1n, held])
      await expect(own.draftPayout(payment(ledger.faucet, coin, units))).rejects.toThrow(
        /"insufficient","currency":"1026"/,
      );
  });
});

describe("a payout of a token", () => {
  it("costs its energy and bytes, within the draft's fee, and arrives in full", async () => {
    const { address } = await ledger.newAccount();
    const fees = await quote(address, tether, 7_000_000n);
    const paid = await own.pay(payment(address, tether, 7_000_000n));
    expect(paid.draft.feeUnits).toBe(fees.high);
    await ledger.mine();
    expect(await burned(paid.txid)).toBe(fees.medium);
    expect(await ledger.tokensOf(address)).toBe(7_000_000n);
    await ledger.mine(19);
    expect(await statusOf(paid)).toMatchObject({
      kind: "mined",
      hasSucceeded: true,
      feeUnits: fees.medium,
    });
  });

  it("succeeds even if the contract's energy factor has risen by a fifth since it was drafted", async () => {
    const { address } = await ledger.newAccount();
    const one = payment(address, tether, 5n);
    const signed = own.signPayout(await own.draftPayout(one), one);
    await ledger.control("/set-energy-factor", { contract: ledger.usdt, factor: 2_000 });
    expect(await own.writer.broadcast(signed.raw, signal)).toEqual({ kind: "accepted" });
    await ledger.mine(20);
    expect(await statusOf(signed)).toMatchObject({ kind: "mined", hasSucceeded: true });
    expect(await burned(signed.txid)).toBeLessThanOrEqual(signed.draft.feeUnits);
    const busier = await quote(address, tether, 5n);
    await ledger.control("/set-energy-factor", { contract: ledger.usdt, factor: 0 });
    const quieter = await quote(address, tether, 5n);
    expect(busier.medium).toBeGreaterThan(quieter.medium);
  });

  it("fails with OUT_OF_ENERGY, and burns its fee limit, if the energy price has multiplied since it was drafted", async () => {
    const { address } = await ledger.newAccount();
    const one = payment(address, tether, 5n);
    const signed = own.signPayout(await own.draftPayout(one), one);
    await ledger.control("/set-parameter", { name: "getEnergyFee", value: 1_000 });
    try {
      expect(await own.writer.broadcast(signed.raw, signal)).toEqual({ kind: "accepted" });
      await ledger.mine(20);
      const status = await statusOf(signed);
      expect(status).toMatchObject({ kind: "mined", hasSucceeded: false });
      const { receipt } = await ledger.web.trx.getUnconfirmedTransactionInfo(signed.txid);
      expect(receipt.result).toBe("OUT_OF_ENERGY");
      const paid = await burned(signed.txid);
      expect(status).toMatchObject({ feeUnits: paid });
      expect(paid).toBeLessThanOrEqual(signed.draft.feeUnits);
      expect(await ledger.tokensOf(address)).toBe(0n);
    } finally {
      await ledger.control("/set-parameter", { name: "getEnergyFee", value: 100 });
    }
  });

  it("is insufficient if the account lacks the amount", async () => {
    const held = await ledger.tokensOf(own.hot);
    await expect(own.draftPayout(payment(ledger.faucet, tether, held + 1n))).rejects.toThrow(
      /"insufficient","currency":"2145","missing":"1"/,
    );
  });
});

describe("a payout's transaction", () => {
  it("differs from every other one, even from an equal payment at the same time", async () => {
    const one = payment(ledger.faucet, coin, 9n);
    const signed = await Promise.all(
      Array.from({ length: 20 }, async () => own.signPayout(await own.draftPayout(one), one).txid),
    );
    expect(new Set(signed).size).toBe(20);
  });

  it("is reported as known when it is sent again: pending, in a block, and expired", async () => {
    const paid = await own.pay(payment(ledger.faucet, coin, 11n));
    expect(await own.writer.broadcast(paid.raw, signal)).toEqual({ kind: "alreadyKnown" });
    await ledger.mine();
    expect(await own.writer.broadcast(paid.raw, signal)).toEqual({ kind: "alreadyKnown" });
    await ledger.control("/mine", { blocks: 1, seconds: 900 });
    expect(await own.writer.broadcast(paid.raw, signal)).toEqual({ kind: "alreadyKnown" });
  });

  it("claims nothing and is refused once it has expired", async () => {
    const one = payment(ledger.faucet, coin, 12n);
    const late = own.signPayout(await own.draftPayout(one), one);
    expect(late.draft.claims).toEqual([]);
    expect(late.draft.validity?.kind).toBe("time");
    await ledger.control("/mine", { blocks: 1, seconds: 900 });
    expect(await own.writer.broadcast(late.raw, signal)).toMatchObject({
      kind: "rejected",
      reason: expect.stringContaining("TRANSACTION_EXPIRATION_ERROR") as string,
    });
    expect(await statusOf(late)).toEqual({ kind: "unknown" });
  });

  it("is missing up to a solid block after its expiration, unless a block up to there contains it", async () => {
    const missing = present(own.writer.isMissingUpTo, "windows");
    const one = payment(ledger.faucet, coin, 13n);
    const swallowed = own.signPayout(await own.draftPayout(one), one);
    const mined = await own.pay(payment(ledger.faucet, coin, 14n));
    await ledger.mine(20);
    const solid = present(
      await own.node.consult((ask) => ask(newestHeader("walletsolidity")), signal),
      "solid",
    );
    const head = present(
      await own.node.consult((ask) => ask(newestHeader("wallet")), signal),
      "head",
    );
    expect(await missing(swallowed.txid, swallowed.draft, solid, signal)).toBe(true);
    expect(await missing(mined.txid, mined.draft, solid, signal)).toBe(false);
    expect(await missing(swallowed.txid, swallowed.draft, head, signal)).toBe(false);
    const fork = { ...solid, hash: "ab".repeat(32) };
    expect(await missing(swallowed.txid, swallowed.draft, fork, signal)).toBe(false);
  });

  it("is not missing for a node that keeps no blocks of when it was valid, also a long time after", async () => {
    const gateway = await startHttpGateway(ledger.tron.url);
    const pruned = openTronAccounts({ ...ledger, tron: { ...ledger.tron, url: gateway.url } });
    const missing = present(pruned.writer.isMissingUpTo, "windows");
    const one = payment(ledger.faucet, coin, 16n);
    const lost = own.signPayout(await own.draftPayout(one), one);
    const solid = async () =>
      present(
        await own.node.consult((ask) => ask(newestHeader("walletsolidity")), signal),
        "solid",
      );
    await ledger.control("/mine", { blocks: 1, seconds: 900 });
    await ledger.mine(20);
    const { height } = await solid();
    gateway.intercept = (path, body) =>
      path.endsWith("/getblock") && Number(body["id_or_num"]) < height ? {} : undefined;
    expect(await missing(lost.txid, lost.draft, await solid(), signal)).toBe(false);
    await ledger.mine(1_500);
    expect(await missing(lost.txid, lost.draft, await solid(), signal)).toBe(false);
    gateway.intercept = () => undefined;
    expect(await missing(lost.txid, lost.draft, await solid(), signal)).toBe(true);
    await pruned.close();
    await gateway.close();
  });

  it("is rejected with java-tron's reason", async () => {
    const one = payment(ledger.faucet, coin, 15n);
    const { raw } = own.signPayout(await own.draftPayout(one), one);
    const badlySigned = Uint8Array.from(raw);
    badlySigned[badlySigned.length - 5]! ^= 1;
    expect(await own.writer.broadcast(badlySigned, signal)).toMatchObject({
      kind: "rejected",
      reason: expect.stringMatching(/SIGERROR/) as string,
    });
  });
});

describe("the account's funds", () => {
  it("are those of the solid block, and include staked coin as reserved", async () => {
    const { funds } = present(own.writer.account, "accounts");
    const solidSun = BigInt(await ledger.web.trx.getBalance(own.hot));
    expect(await funds(own.hot, coin, 1, signal)).toEqual({
      latest: solidSun,
      final: solidSun,
      reserved: 0n,
    });
    const tokens = await ledger.tokensOf(own.hot);
    expect(await funds(own.hot, tether, 1, signal)).toEqual({
      latest: tokens,
      final: tokens,
      reserved: 0n,
    });
    const { address } = await ledger.newAccount();
    expect(await funds(address, coin, 1, signal)).toEqual({ latest: 0n, final: 0n, reserved: 0n });
  });
});

it("drafts many payments in one call, each independently", async () => {
  const { draftEach } = present(own.writer.account, "accounts");
  const held = await ledger.tokensOf(own.hot);
  const payments = [
    payment(ledger.faucet, coin, 1n),
    payment(ledger.usdt, coin, 1n),
    payment(ledger.faucet, tether, held + 5n),
    payment(ledger.faucet, tether, 5n),
  ].map((one) => ({ payment: one, feeTarget: null }));
  const outcomes = await draftEach(own.hot, payments, { timesHigh: 10n }, signal);
  expect(outcomes.map(({ kind }) => kind)).toEqual([
    "draft",
    "impossible",
    "insufficient",
    "draft",
  ]);
  const dear = await draftEach(own.hot, payments, { units: 1_000n }, signal);
  expect(dear.map(({ kind }) => kind)).toEqual([
    "tooExpensive",
    "impossible",
    "insufficient",
    "tooExpensive",
  ]);
});
