/**
 * Payouts of a token on a real node whose contract behaves differently when the transaction is mined than when it was simulated.
 * Every way to read the outcome must agree with the logs.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TransactionReceipt } from "../../src/chains/port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { type ConfigurableToken, deployConfigurableToken } from "../support/configurable-token.ts";
import {
  fundHotAccount,
  type HotAccount,
  openHotAccount,
  payment,
  type Signed,
} from "../support/evm-hot-account.ts";
import {
  type AdapterUnderTest,
  connectEvm,
  currenciesOf,
  type PrivateEvm,
  signal,
  startPrivateEvm,
  usdt,
} from "../support/private-evm.ts";

let evm: PrivateEvm;
let client: AdapterUnderTest;
let hot: HotAccount;
let token: ConfigurableToken;
let payee: string;

beforeAll(async () => {
  evm = await startPrivateEvm();
  token = await deployConfigurableToken(evm);
  const currencies = currenciesOf("ETH", { [usdt]: token.address });
  client = connectEvm({ url: evm.anvil.url, currencies });
  hot = openHotAccount(evm, client.adapter, currencies);
  await fundHotAccount(evm, hot.address);
  await token.pay(hot.address, 10n ** 6n);
});
afterAll(async () => {
  await client.close();
  await evm.stop();
});

let payeeCount = 0;
beforeEach(async () => {
  payeeCount += 1;
  payee = client.adapter.addressing.depositAt(700 + payeeCount, null).address;
  await token.setBehavior("good");
});

/** Drafted and signed while the token behaves, so that the simulation succeeds. */
async function signed(units = 1_000n): Promise<Signed> {
  const paid = [payment(payee, usdt, units)];
  return hot.sign(await hot.draft(await hot.request(paid)), paid);
}

async function mine(transaction: Signed): Promise<void> {
  expect(await hot.writer.broadcast(transaction.raw, signal)).toEqual({ kind: "accepted" });
  await evm.mine();
}

/** The outcome in the newest block; the payout's status request must agree. */
async function receiptOf(transaction: Signed, by = transaction): Promise<TransactionReceipt> {
  const tip = await client.adapter.reader.tip(signal);
  const mined = await client.adapter.reader.receiptsIn([transaction.txid, by.txid], tip, signal);
  const [spend, ...others] = present(mined, "a block");
  expect(others).toEqual([]);
  const status = await hot.writer.status(by.txid, by.draft, signal);
  expect(status).toEqual({ kind: "mined", block: tip, ...spend });
  return present(spend, "a mined transaction");
}

describe("the EVM adapter with unusual tokens", () => {
  it.each([
    ["good", 1_000n, 1_000n],
    ["refusing", 0n, 0n],
    ["idle", 0n, 0n],
    ["halving", 500n, 500n],
    ["astray", 0n, 1_000n],
    ["keepingAFee", 990n, 1_000n],
  ] as const)(
    "reports for a token that is %s that the receiver got %s of 1000 and the sender paid %s",
    async (behavior, arrived, left) => {
      const transaction = await signed();
      const held = await token.held(hot.address);
      await token.setBehavior(behavior);
      await mine(transaction);
      const { hasSucceeded, delivery } = await receiptOf(transaction);
      expect(hasSucceeded).toBe(true);
      const odd = {
        currency: usdt,
        requestedUnits: 1_000n,
        receivedUnits: arrived,
        sentUnits: left,
      };
      expect(delivery).toEqual(behavior === "good" ? undefined : odd);
      await token.setBehavior("good");
      expect([await token.held(payee), held - (await token.held(hot.address))]).toEqual([
        arrived,
        left,
      ]);
    },
  );

  it("reports a transfer as reverted when the token starts to revert", async () => {
    const transaction = await signed();
    await token.setBehavior("reverting");
    await mine(transaction);
    const { hasSucceeded, delivery } = await receiptOf(transaction);
    expect([hasSucceeded, delivery]).toEqual([false, undefined]);
  });

  it("rejects a payment of a token whose simulation returns false", async () => {
    await token.setBehavior("refusing");
    const outcome = await hot.writer.draft(await hot.request([payment(payee, usdt, 5n)]), signal);
    expect(outcome.kind).toBe("impossible");
  });

  it("reads the transfers of a token again after a reorg", async () => {
    const transaction = await signed();
    await token.setBehavior("idle");
    await mine(transaction);
    expect((await receiptOf(transaction)).delivery?.receivedUnits).toBe(0n);
    await evm.reorg(1);
    expect(await hot.writer.status(transaction.txid, transaction.draft, signal)).toEqual({
      kind: "unknown",
    });
    await token.setBehavior("good");
    await mine(transaction);
    expect(await receiptOf(transaction)).toMatchObject({
      txid: transaction.txid,
      hasSucceeded: true,
    });
    expect((await receiptOf(transaction)).delivery).toBeUndefined();
    expect(await token.held(payee)).toBe(1_000n);
  });

  it("reports a replacement's outcome for the original payment too", async () => {
    const paid = [payment(payee, usdt, 1_000n)];
    const request = await hot.request(paid);
    const first = hot.sign(await hot.draft(request), paid);
    const second = hot.sign(await hot.draft({ ...request, replaces: first.draft }), paid);
    await token.setBehavior("astray");
    await mine(second);
    const odd = { currency: usdt, requestedUnits: 1_000n, receivedUnits: 0n, sentUnits: 1_000n };
    expect(await receiptOf(second, first)).toMatchObject({ txid: second.txid, delivery: odd });
  });
});
