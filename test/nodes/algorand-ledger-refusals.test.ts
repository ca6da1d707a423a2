import algosdk, { type Account, type SuggestedParams, type Transaction } from "algosdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorMessage } from "../../src/platform/kernel/error-message.ts";
import {
  type PrivateAlgorand,
  signedBy,
  startPrivateAlgorand,
} from "../support/private-algorand.ts";

/* What the simulated algod refuses, in the words of go-algorand 5.1 (data/pools, ledger/eval, ledger/ledgercore, data/transactions/verify). */

let chain: PrivateAlgorand;
beforeAll(async () => {
  chain = await startPrivateAlgorand();
});
afterAll(async () => {
  await chain.stop();
});

const stranger = (): string => algosdk.generateAccount().addr.toString();
const lease = (text: string): Uint8Array => {
  const bytes = new Uint8Array(32);
  bytes.set(new TextEncoder().encode(text));
  return bytes;
};

type Change = {
  readonly sender?: Account;
  readonly receiver?: string;
  readonly amount?: bigint;
  readonly lease?: Uint8Array;
  readonly rekeyTo?: string;
  readonly note?: Uint8Array;
  readonly params?: Partial<SuggestedParams>;
};

async function payment({ params = {}, sender, ...change }: Change = {}): Promise<Transaction> {
  return algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender: (sender ?? chain.faucet).addr,
    receiver: stranger(),
    amount: 200_000n,
    suggestedParams: await chain.params({ flatFee: true, fee: 1_000n, ...params }),
    ...change,
  });
}

/** The node's message about a transaction that it refuses; changes nothing. */
async function refusalOf(transaction: Transaction, key?: Account): Promise<string> {
  const before = await chain.client.pendingTransactionsInformation().do();
  const refused = await chain.send(transaction, key).then(() => "accepted", errorMessage);
  const after = await chain.client.pendingTransactionsInformation().do();
  expect(after.totalTransactions).toBe(before.totalTransactions);
  return refused.replace("Network request error. Received status 400 (Bad Request): ", "");
}

describe("the pool", () => {
  it("refuses a payment of more than there is", async () => {
    const sender = await chain.newAccount(1_000_000n);
    const over = await payment({ sender, amount: 1_000_000n });
    expect(await refusalOf(over, sender)).toMatch(
      `TransactionPool.Remember: transaction ${over.txID()}: overspend (account ${sender.addr.toString()}, data {AccountBaseData:{Status:Offline MicroAlgos:999mA`,
    );
  });

  it("refuses what leaves an account, or its receiver, with less than it must keep", async () => {
    const sender = await chain.newAccount(1_000_000n);
    const poor = await payment({ sender, amount: 950_000n });
    expect(await refusalOf(poor, sender)).toBe(
      `TransactionPool.Remember: transaction ${poor.txID()}: account ${sender.addr.toString()} balance 49000 below min 100000 (0 assets)`,
    );
    const receiver = stranger();
    const little = await payment({ receiver, amount: 99_999n });
    expect(await refusalOf(little)).toBe(
      `TransactionPool.Remember: transaction ${little.txID()}: account ${receiver} balance 99999 below min 100000 (0 assets)`,
    );
  });

  it("refuses a fee below the minimum, of one transaction or of a whole group", async () => {
    const cheap = await payment({ params: { fee: 999n } });
    expect(await refusalOf(cheap)).toBe(
      "TransactionPool.Remember: txgroup with 999uA fees is less than 1mA (usage=1.000000 * base=1mA)",
    );
  });

  it("demands a fee per byte when it is full", async () => {
    const ordinary = await payment();
    await chain.control("/set-fees", { per_byte: 10 });
    expect(await refusalOf(ordinary)).toMatch(
      /^TransactionPool\.Remember: fee 1000 below threshold \d+ \(10 per byte \* \d+ bytes\)$/,
    );
    // The SDK multiplies the fee by the size that it expects, which is a few bytes less.
    const adapted = await payment({ params: { flatFee: false, fee: 11n } });
    await chain.send(adapted);
    await chain.control("/set-fees", { per_byte: 0 });
    await chain.mine();
  });

  it("refuses a transaction outside of its rounds", async () => {
    await chain.mine(3);
    const { lastRound } = await chain.client.status().do();
    const next = lastRound + 1n;
    const late = await payment({ params: { firstValid: 1n, lastValid: 2n } });
    expect(await refusalOf(late)).toBe(
      `TransactionPool.Remember: txn dead: round ${next} outside of 1--2`,
    );
    const early = await payment({ params: { firstValid: next + 1n, lastValid: next + 5n } });
    expect(await refusalOf(early)).toBe(
      `TransactionPool.Remember: txn dead: round ${next} outside of ${next + 1n}--${next + 5n}`,
    );
    const last = await payment({ params: { firstValid: 1n, lastValid: next } });
    await chain.send(last);
    await chain.mine();
  });

  it("refuses a window of more than a thousand rounds", async () => {
    const wide = await payment({ params: { firstValid: 1n, lastValid: 1_002n } });
    expect(await refusalOf(wide)).toMatch("transaction window size excessive (1--1002)");
  });

  it("refuses what it has, and what a block has", async () => {
    const sent = await payment();
    await chain.send(sent);
    const again = `TransactionPool.Remember: transaction already in ledger: ${sent.txID()}`;
    expect(await refusalOf(sent)).toBe(again);
    await chain.mine();
    expect(await refusalOf(sent)).toBe(again);
  });

  it("lets one transaction have a lease until its last round", async () => {
    const [sender, other] = [await chain.newAccount(), await chain.newAccount()];
    const { lastRound } = await chain.client.status().do();
    const window = { firstValid: lastRound, lastValid: lastRound + 3n };
    const lx = lease("payout 7");
    await chain.send(await payment({ sender, lease: lx, params: window }), sender);
    const second = await payment({ sender, lease: lx });
    const refused = `TransactionPool.Remember: transaction ${second.txID()} using an overlapping lease (sender, lease):(${sender.addr.toString()}, ${algosdk.encodeAddress(lx)})`;
    expect(await refusalOf(second, sender)).toBe(refused);
    await chain.send(await payment({ sender: other, lease: lx }), other);
    await chain.send(await payment({ sender, lease: lease("payout 8") }), sender);
    await chain.mine(2);
    expect(await refusalOf(second, sender)).toBe(refused);
    await chain.mine();
    await chain.send(second, sender);
    await chain.mine();
  });

  it("refuses an asset to an account that did not opt in, and more than the sender has", async () => {
    const receiver = await chain.newAccount();
    const holder = await chain.newAccount(1_000_000n, { optsIn: true });
    const transfer = async (to: Account, amount: bigint, from: Account): Promise<Transaction> =>
      algosdk.makeAssetTransferTxnWithSuggestedParamsFromObject({
        sender: from.addr,
        receiver: to.addr,
        amount,
        assetIndex: chain.usdc,
        suggestedParams: await chain.params(),
      });
    const missing = await transfer(receiver, 1n, chain.faucet);
    expect(await refusalOf(missing)).toBe(
      `TransactionPool.Remember: transaction ${missing.txID()}: receiver error: must optin, asset ${chain.usdc} missing from ${receiver.addr.toString()}`,
    );
    const over = await transfer(chain.faucet, 1n, holder);
    expect(await refusalOf(over, holder)).toBe(
      `TransactionPool.Remember: transaction ${over.txID()}: underflow on subtracting 1 from sender amount 0`,
    );
    const poor = await chain.newAccount(150_000n);
    const optIn = await transfer(poor, 0n, poor);
    expect(await refusalOf(optIn, poor)).toBe(
      `TransactionPool.Remember: transaction ${optIn.txID()}: account ${poor.addr.toString()} balance 149000 below min 200000 (1 assets)`,
    );
  });

  it("refuses to close an account that still holds an asset", async () => {
    const holder = await chain.newAccount(1_000_000n, { optsIn: true });
    const closing = algosdk.makePaymentTxnWithSuggestedParamsFromObject({
      sender: holder.addr,
      receiver: chain.faucet.addr,
      amount: 0n,
      closeRemainderTo: chain.faucet.addr,
      suggestedParams: await chain.params(),
    });
    expect(await refusalOf(closing, holder)).toBe(
      `TransactionPool.Remember: transaction ${closing.txID()}: cannot close: 1 outstanding assets`,
    );
  });
});

describe("a signature", () => {
  it("of another key is refused", async () => {
    const sent = await payment();
    const key = algosdk.generateAccount();
    expect(await refusalOf(sent, key)).toBe(
      `TransactionPool.Remember: transaction ${sent.txID()}: should have been authorized by ${chain.faucet.addr.toString()} but was actually authorized by ${key.addr.toString()}`,
    );
  });

  it("of other bytes does not verify", async () => {
    const [signed = new Uint8Array()] = await signedBy(chain.faucet, [
      await payment({ amount: 300_000n }),
    ]);
    const at = signed.findIndex(
      (_byte, index) => signed[index] === 0xce && signed[index + 1] === 0,
    );
    signed[at + 4] = (signed[at + 4] ?? 0) ^ 1;
    await expect(chain.client.sendRawTransaction(signed).do()).rejects.toThrow(
      "At least one signature didn't pass verification",
    );
  });

  it("is that of the new key after the account was rekeyed", async () => {
    const account = await chain.newAccount();
    const key = algosdk.generateAccount();
    await chain.send(await payment({ sender: account, rekeyTo: key.addr.toString() }), account);
    await chain.mine();
    const { authAddr } = await chain.client.accountInformation(account.addr.toString()).do();
    expect(authAddr?.toString()).toBe(key.addr.toString());
    const old = await payment({ sender: account });
    expect(await refusalOf(old, account)).toMatch(
      `should have been authorized by ${key.addr.toString()} but was actually authorized by ${account.addr.toString()}`,
    );
    await chain.send(old, key);
    await chain.send(await payment({ sender: account, rekeyTo: account.addr.toString() }), key);
    await chain.mine();
    const after = await chain.client.accountInformation(account.addr.toString()).do();
    expect(after.authAddr).toBeUndefined();
  });

  it("covers the network", async () => {
    const other = await payment({ params: { genesisID: "mainnet-v1.0" } });
    expect(await refusalOf(other)).toBe(
      `TransactionPool.Remember: tx.GenesisID <mainnet-v1.0> does not match expected <${chain.algorand.genesisId}>`,
    );
    const foreign = await payment({
      params: { genesisHash: new Uint8Array(32).fill(7), genesisID: "" },
    });
    expect(await refusalOf(foreign)).toMatch(/tx\.GenesisHash <.*> does not match expected/);
  });
});

describe("a group", () => {
  const send = async (group: readonly Transaction[]): Promise<unknown> =>
    chain.client.sendRawTransaction(await signedBy(chain.faucet, group)).do();

  it("is executed as a whole, and its fees count together", async () => {
    const receiver = stranger();
    const group = algosdk.assignGroupID([
      await payment({ receiver, params: { fee: 2_000n } }),
      await payment({ receiver, params: { fee: 0n } }),
    ]);
    await send(group);
    await chain.mine();
    expect(await chain.microAlgosOf(receiver)).toBe(400_000n);
    const first = await payment({ receiver });
    const failing = await payment({ amount: 10n ** 17n });
    await expect(send(algosdk.assignGroupID([first, failing]))).rejects.toThrow("overspend");
    await chain.mine();
    expect(await chain.microAlgosOf(receiver)).toBe(400_000n);
  });

  it("is refused without its id, without a member, or in another order", async () => {
    const [one, two] = [await payment(), await payment()];
    await expect(send([one, two])).rejects.toThrow(
      "transactionGroup: [0] had zero Group but was submitted in a group of 2",
    );
    const [first, second] = algosdk.assignGroupID([one, two]);
    if (first === undefined || second === undefined) throw new Error("a group of two");
    await expect(send([first])).rejects.toThrow("transactionGroup: incomplete group");
    await expect(send([second, first])).rejects.toThrow("transactionGroup: incomplete group");
  });
});

describe("bytes that are no transaction", () => {
  it.each([
    ["nothing", new Uint8Array(), "empty txgroup"],
    ["half of a map", Uint8Array.of(0x82, 0xa3), "msgpack decode error"],
    ["a number", Uint8Array.of(7), "a map is expected"],
    ["an unknown member", algosdk.msgpackRawEncode({ what: 1 }), "stream map with key what"],
  ])("are refused: %s", async (_name, body, message) => {
    const response = await fetch(`${chain.algorand.url}/v2/transactions`, {
      method: "POST",
      headers: { "x-algo-api-token": chain.algorand.token },
      body: Uint8Array.from(body),
    });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toContain(message);
  });
});

describe("the control endpoint", () => {
  it("lets the node lose what it accepted, before or after it was in the pool", async () => {
    const swallowed = await payment();
    await chain.control("/swallow-broadcasts", { count: 1 });
    await chain.send(swallowed);
    await expect(chain.client.pendingTransactionInformation(swallowed.txID()).do()).rejects.toThrow(
      "could not find the transaction",
    );
    const evicted = await payment();
    await chain.send(evicted);
    await chain.control("/evict");
    const { poolError } = await chain.client.pendingTransactionInformation(evicted.txID()).do();
    expect(poolError).toContain("evicted");
    await chain.mine();
    await chain.send(swallowed);
    await chain.send(evicted);
    await chain.mine();
    const found = await chain.client.pendingTransactionInformation(evicted.txID()).do();
    expect([found.poolError, found.confirmedRound]).toEqual(["", expect.any(BigInt)]);
  });

  it("lets the node say that it catches up", async () => {
    await chain.control("/catch-up", { seconds: 60 });
    expect((await chain.client.status().do()).catchupTime).toBeGreaterThan(0n);
    await chain.control("/catch-up", { seconds: 0 });
    expect((await chain.client.status().do()).catchupTime).toBe(0n);
  });
});
