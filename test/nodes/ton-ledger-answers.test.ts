import {
  Address,
  beginCell,
  Cell,
  contractAddress,
  external,
  internal,
  loadTransaction,
  type OutActionSendMsg,
  SendMode,
  storeMessage,
  storeMessageRelaxed,
  storeOutList,
  toNano,
} from "@ton/core";
import { keyPairFromSeed, sign } from "@ton/crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { messagesIn } from "../../src/sandbox/ton/message-queue.ts";
import { masterchain } from "../../src/sandbox/ton/network.ts";
import { printTransaction } from "../../src/sandbox/ton/v2/print.ts";
import highload from "../recorded/ton-highload-wallet-v3.json" with { type: "json" };
import recordedV2 from "../recorded/toncenter-v2-transactions-46762307000001.json" with {
  type: "json",
};
import recordedV3 from "../recorded/toncenter-v3-transactions-36582626000003.json" with {
  type: "json",
};
import { type Answer, type PrivateTon, startPrivateTon } from "../support/private-ton.ts";

/* What the simulated TON network answers, next to what toncenter answered for the real ones. */

let ledger: PrivateTon;
beforeAll(async () => {
  ledger = await startPrivateTon();
});
afterAll(async () => {
  await ledger.stop();
});

const lists = async (
  path: string,
  member: string,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly Answer[]> => (await ledger.read(path, query))[member] as readonly Answer[];

let strangers = 0;
const stranger = (): Address => {
  strangers += 1;
  return new Address(0, Buffer.alloc(32, strangers));
};

describe("an answer about transactions", () => {
  it("prints a transaction of the main network as API v2 did", () => {
    const recorded = present(recordedV2.result[0], "the recorded transaction");
    const cell = Cell.fromBase64(recorded.data);
    const transaction = loadTransaction(cell.beginParse());
    const block = {
      ...masterchain,
      seqno: 1,
      rootHash: Buffer.alloc(32),
      fileHash: Buffer.alloc(32),
    };
    const account = Address.parse(recorded.address.account_address).toRawString();
    const hash = cell.hash().toString("hex");
    const printed = printTransaction({
      cell,
      transaction,
      account,
      hash,
      block,
      mcSeqno: 1,
      traceId: hash,
      ...messagesIn(cell),
    });
    // The second implementation has other names for the two types, and more members.
    expect(printed).toMatchObject({
      ...recorded,
      "@type": "ext.transaction",
      data: expect.any(String) as string,
      in_msg: { ...recorded.in_msg, "@type": "ext.message" },
    });
    const { data } = printed as { readonly data: string };
    expect(Cell.fromBase64(data).hash()).toEqual(cell.hash());
  });

  it("has every member of API v3, of the same type", async () => {
    await ledger.payDollars(stranger(), 5n);
    const [recorded] = recordedV3.transactions;
    const found = await lists("transactions", "transactions", { limit: "1000" });
    const alike = found.filter(
      ({ in_msg, out_msgs }) =>
        (in_msg as Answer)["value"] !== null && (out_msgs as readonly unknown[]).length > 0,
    );
    expect(alike.length).toBeGreaterThan(1);
    for (const printed of alike) {
      const { account_state_before, account_state_after, ...known } = present(recorded, "recorded");
      expect(account_state_before).toBeDefined();
      expect(account_state_after).toBeDefined();
      expect(typesOf(known, printed)).toEqual([]);
      const messages = printed["out_msgs"] as readonly Answer[];
      for (const message of [printed["in_msg"] as Answer, ...messages])
        expect(typesOf(known.in_msg, message)).toEqual([]);
    }
  });
});

/** The paths at which the second value lacks a member of the first, or has one of another type. */
function typesOf(expected: unknown, found: unknown, path = ""): readonly string[] {
  if (expected === null || found === null) return [];
  if (Array.isArray(expected)) return Array.isArray(found) ? [] : [path];
  if (typeof expected !== "object") return typeof expected === typeof found ? [] : [path];
  if (typeof found !== "object") return [path];
  return Object.entries(expected).flatMap(([name, value]) =>
    Object.hasOwn(found, name)
      ? typesOf(value, (found as Answer)[name], `${path}/${name}`)
      : [`${path}/${name}`],
  );
}

describe("a highload wallet v3", () => {
  const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 77));
  const subwallet = 0x10ad;
  const timeout = 3_600;
  const code = Cell.fromBase64(highload.codeBoc);
  const data = beginCell()
    .storeBuffer(publicKey)
    .storeUint(subwallet, 32)
    .storeUint(0, 66)
    .storeUint(timeout, 22)
    .endCell();
  const address = contractAddress(0, { code, data });

  // The SDK signs by the clock, so this network, whose time runs ahead, is not shared.
  let ledger: PrivateTon;
  beforeAll(async () => {
    ledger = await startPrivateTon();
  });
  afterAll(async () => {
    await ledger.stop();
  });

  /** One message that makes the wallet send many, signed now or so many seconds from now. */
  const batch = async (
    queryId: number,
    receivers: readonly Address[],
    later = 0,
  ): Promise<string> => {
    const actions: OutActionSendMsg[] = receivers.map((to) => ({
      type: "sendMsg",
      mode: SendMode.PAY_GAS_SEPARATELY,
      outMsg: internal({ to, value: toNano("0.1"), bounce: false }),
    }));
    const out = beginCell();
    storeOutList(actions)(out);
    const body = beginCell()
      .storeUint(0xae42e5a4, 32)
      .storeUint(queryId, 64)
      .storeRef(out.endCell())
      .endCell();
    const order = internal({ to: address, value: toNano("2"), bounce: true, body });
    const { result } = await ledger.ask("getAddressInformation", {
      address: address.toString(),
    });
    const now = (result as { readonly sync_utime: number }).sync_utime;
    const inner = beginCell()
      .storeUint(subwallet, 32)
      .storeRef(beginCell().store(storeMessageRelaxed(order)).endCell())
      .storeUint(SendMode.PAY_GAS_SEPARATELY, 8)
      .storeUint(queryId, 23)
      .storeUint(now + later, 64)
      .storeUint(timeout, 22)
      .endCell();
    const signed = beginCell().storeBuffer(sign(inner.hash(), secretKey)).storeRef(inner).endCell();
    const message = external({ to: address, init: { code, data }, body: signed });
    return beginCell().store(storeMessage(message)).endCell().toBoc().toString("base64");
  };

  it("is deployed by its first external message, and pays many in one", async () => {
    expect(code.hash().toString("hex")).toBe(highload.codeHash);
    await ledger.pay(address, toNano("20"));
    const receivers = [stranger(), stranger(), stranger()];
    const boc = await batch(1, receivers);
    expect(await ledger.ask("sendBoc", { boc })).toMatchObject({ ok: true });
    await ledger.mine(5);
    for (const receiver of receivers)
      expect(await ledger.client.getBalance(receiver)).toBe(toNano("0.1"));
    const { traces } = await ledger.read("traces", { account: receivers[0]?.toString() ?? "" });
    const [trace] = traces as readonly Answer[];
    // The order, the wallet's message to itself, and a payment to each.
    expect(trace?.["trace_info"]).toMatchObject({ trace_state: "complete", transactions: 5 });
  });

  it("executes a query once, and none that is older than its timeout", async () => {
    const receiver = stranger();
    const repeated = await ledger.ask("sendBoc", { boc: await batch(1, [receiver]) });
    expect(repeated["error"]).toContain("exitcode=36");
    const late = await batch(2, [receiver]);
    await ledger.control("/mine", { seconds: timeout + 1 });
    expect((await ledger.ask("sendBoc", { boc: late }))["error"]).toContain("exitcode=35");
    expect(await ledger.client.getBalance(receiver)).toBe(0n);
  });

  it("pays for the storage of its code and data over time", async () => {
    /** What the newest order paid; the wallet's message to itself follows in the same second. */
    const storageFee = async (): Promise<number> => {
      const { result } = await ledger.ask("getTransactions", {
        address: address.toString(),
        limit: 2,
      });
      const newest = result as readonly { readonly storage_fee: string }[];
      return Math.max(...newest.map(({ storage_fee }) => Number(storage_fee)));
    };
    await ledger.ask("sendBoc", { boc: await batch(3, [stranger()]) });
    await ledger.mine(3);
    const afterAnHour = await storageFee();
    await ledger.control("/mine", { seconds: 30 * 86_400 });
    await ledger.ask("sendBoc", { boc: await batch(4, [stranger()]) });
    await ledger.mine(3);
    expect(afterAnHour).toBeGreaterThan(0);
    expect(await storageFee()).toBeGreaterThan(100 * afterAnHour);
  });
});

describe("a trace", () => {
  it("is pending until its last message arrived, and its transactions are found by it", async () => {
    const receiver = stranger();
    const wallet = ledger.client.open(ledger.faucet);
    const own = await ledger.dollarWallet(ledger.faucet.address);
    const body = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(9, 64)
      .storeCoins(7n)
      .storeAddress(receiver)
      .storeAddress(ledger.faucet.address)
      .storeBit(false)
      .storeCoins(10_000_000n)
      .storeBit(false)
      .endCell();
    await wallet.sendTransfer({
      seqno: await wallet.getSeqno(),
      secretKey: ledger.secretKey,
      messages: [internal({ to: own, value: "0.2", bounce: true, body })],
    });
    await ledger.mine(1);
    const account = ledger.faucet.address.toString();
    const [pending] = await lists("traces", "traces", { account, limit: "1" });
    expect(pending?.["trace_info"]).toMatchObject({ trace_state: "pending" });
    await ledger.mine(5);
    const id = String(pending?.["trace_id"]);
    const [complete] = await lists("traces", "traces", { trace_id: id });
    expect(complete?.["trace_info"]).toMatchObject({
      trace_state: "complete",
      transactions: 5,
      pending_messages: 0,
    });
    const [transfer] = await lists("jetton/transfers", "jetton_transfers", {
      owner_address: receiver.toString(),
      direction: "in",
    });
    expect(transfer).toMatchObject({
      query_id: "9",
      amount: "7",
      transaction_aborted: false,
      trace_id: id,
    });
    const [held] = await lists("jetton/wallets", "jetton_wallets", {
      owner_address: receiver.toString(),
    });
    expect(held).toMatchObject({ balance: "7", jetton: transfer?.["jetton_master"] });
  });
});

describe("a jetton that imitates the test dollar", () => {
  it("is not listed as its wallet, whatever it says about itself", async () => {
    const { jettonWallet } = (
      await import("../../src/sandbox/ton/contracts.json", { with: { type: "json" } })
    ).default;
    const code = Cell.fromBase64(jettonWallet.codeBoc);
    const owner = stranger();
    const master = Address.parse(present(ledger.ton.tokens["USDT-TON"], "the test dollar"));
    const dataOf = (units: bigint): Cell =>
      beginCell()
        .storeCoins(units)
        .storeAddress(owner)
        .storeAddress(master)
        .storeRef(code)
        .endCell();
    const init = { code, data: dataOf(1_000_000n) };
    const fake = contractAddress(0, init);
    await ledger.send([internal({ to: fake, value: toNano("1"), bounce: false, init })]);
    const said = await ledger.ask("runGetMethod", {
      address: fake.toString(),
      method: "get_wallet_data",
      stack: [],
    });
    expect(said["result"]).toMatchObject({ exit_code: 0 });
    const listed = await lists("jetton/wallets", "jetton_wallets", {
      owner_address: owner.toString(),
    });
    expect(listed).toEqual([]);
  });
});

describe("API v2 as paths", () => {
  it("answers like JSON-RPC", async () => {
    const base = ledger.ton.url.replace("/jsonRPC", "");
    const address = ledger.faucet.address.toString();
    const response = await fetch(`${base}/getAddressInformation?address=${address}`);
    const { result } = (await response.json()) as Answer;
    const over = await ledger.ask("getAddressInformation", { address });
    expect(result).toEqual(over["result"]);
    expect(over).toMatchObject({ ok: true, "@extra": expect.any(String) as string });
  });

  it("estimates what a transfer costs", async () => {
    const body = ledger.faucet.createTransfer({
      seqno: await ledger.client.open(ledger.faucet).getSeqno(),
      secretKey: Buffer.alloc(64, 1),
      messages: [internal({ to: stranger(), value: "1", bounce: false })],
    });
    const { source_fees } = await ledger.client.estimateExternalMessageFee(ledger.faucet.address, {
      body,
      initCode: null,
      initData: null,
      ignoreSignature: true,
    });
    expect(source_fees.gas_fee).toBeGreaterThan(1_000_000);
    expect(source_fees.in_fwd_fee).toBeGreaterThan(100_000);
    expect(source_fees.fwd_fee).toBeGreaterThan(100_000);
  });

  it("finds the transaction that processed a message, and the one that sent it", async () => {
    const receiver = stranger();
    await ledger.pay(receiver, 5n);
    const [received] = await ledger.client.getTransactions(receiver, { limit: 1 });
    const info = present(received?.inMessage, "the message").info;
    if (info.type !== "internal") throw new Error("an internal message is expected");
    const { client, faucet } = ledger;
    const created = String(info.createdLt);
    const result = await client.tryLocateResultTx(faucet.address, receiver, created);
    expect(result.hash()).toEqual(received?.hash());
    const source = await client.tryLocateSourceTx(faucet.address, receiver, created);
    expect(source.outMessages.values()).toHaveLength(1);
    const missing = await ledger.ask("tryLocateTx", {
      source: receiver.toString(),
      destination: faucet.address.toString(),
      created_lt: created,
    });
    expect(missing).toMatchObject({ ok: false, code: 404, error: "transaction was not found" });
  });
});
