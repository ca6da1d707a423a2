import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Address,
  beginCell,
  comment,
  external,
  internal,
  SendMode,
  storeMessage,
  toNano,
} from "@ton/core";
import { keyPairFromSeed } from "@ton/crypto";
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { type Answer, type PrivateTon, startPrivateTon } from "../support/private-ton.ts";

/* The simulated TON network as the official SDK (@ton/ton, unmodified, over toncenter's API v2) sees it. */

let ledger: PrivateTon;
beforeAll(async () => {
  ledger = await startPrivateTon();
});
afterAll(async () => {
  await ledger.stop();
});

let seeds = 0;
const nextKey = (): ReturnType<typeof keyPairFromSeed> => {
  seeds += 1;
  return keyPairFromSeed(Buffer.alloc(32, seeds));
};

/** An address that nobody used. */
const newAddress = (): Address =>
  WalletContractV4.create({ workchain: 0, publicKey: nextKey().publicKey }).address;

const balanceOf = (address: Address): Promise<bigint> => ledger.client.getBalance(address);

/** The error of an answer, which toncenter repeats as the HTTP status. */
const errorOf = async (method: string, params: object): Promise<Answer> => {
  const answer = await ledger.ask(method, params);
  expect(answer).toMatchObject({ ok: false });
  return answer;
};

describe("a wallet of @ton/ton", () => {
  type Create = typeof WalletContractV4;
  const wallets: Readonly<Record<"v3R2" | "v4R2" | "v5R1", Pick<Create, "create">>> = {
    v3R2: WalletContractV3R2 as unknown as Create,
    v4R2: WalletContractV4,
    v5R1: WalletContractV5R1 as unknown as Create,
  };

  it.each(["v3R2", "v4R2", "v5R1"] as const)(
    "%s is deployed by its first transfer, and pays with a comment",
    async (version) => {
      const { publicKey, secretKey } = nextKey();
      const wallet = wallets[version].create({ workchain: 0, publicKey });
      const receiver = newAddress();
      await ledger.pay(wallet.address, toNano("3"));
      expect(await ledger.client.isContractDeployed(wallet.address)).toBe(false);
      const opened = ledger.client.open(wallet);
      await opened.sendTransfer({
        seqno: 0,
        secretKey,
        sendMode: SendMode.PAY_GAS_SEPARATELY,
        messages: [internal({ to: receiver, value: "1.5", bounce: false, body: "thank you" })],
      });
      await ledger.mine(3);
      expect(await opened.getSeqno()).toBe(1);
      expect(await balanceOf(receiver)).toBe(toNano("1.5"));
      const [received] = await ledger.client.getTransactions(receiver, { limit: 10 });
      const message = present(received?.inMessage, "the message");
      expect(message.info).toMatchObject({ type: "internal", value: { coins: toNano("1.5") } });
      expect(message.body.equals(comment("thank you"))).toBe(true);
      const [sent] = await ledger.client.getTransactions(wallet.address, { limit: 1 });
      expect(present(sent, "the transfer").totalFees.coins).toBeGreaterThan(0n);
    },
  );

  it("gets back what an address without a contract does not take", async () => {
    const { publicKey, secretKey } = nextKey();
    const wallet = WalletContractV4.create({ workchain: 0, publicKey });
    const receiver = newAddress();
    await ledger.pay(wallet.address, toNano("3"));
    await ledger.client.open(wallet).sendTransfer({
      seqno: 0,
      secretKey,
      messages: [internal({ to: receiver, value: "1", bounce: true })],
    });
    await ledger.mine(4);
    const [back] = await ledger.client.getTransactions(wallet.address, { limit: 1 });
    expect(back?.inMessage?.info).toMatchObject({ bounced: true });
    expect(await balanceOf(receiver)).toBe(0n);
    expect(await balanceOf(wallet.address)).toBeGreaterThan(toNano("2.98"));
  });
});

describe("jettons of the test dollar", () => {
  it("arrive with a notification and a comment, and what is left returns", async () => {
    const { publicKey, secretKey } = nextKey();
    const receiver = WalletContractV4.create({ workchain: 0, publicKey });
    await ledger.pay(receiver.address, toNano("1"));
    await ledger.payDollars(receiver.address, 12_500_000n, {
      forward: 10_000_000n,
      payload: comment("invoice 7"),
    });
    expect(await ledger.dollarsOf(receiver.address)).toBe(12_500_000n);
    const [notified] = await ledger.client.getTransactions(receiver.address, { limit: 1 });
    const message = present(notified?.inMessage, "the notification");
    expect(message.info.src?.toString()).toBe(
      (await ledger.dollarWallet(receiver.address)).toString(),
    );
    const slice = message.body.beginParse();
    expect(slice.loadUint(32)).toBe(0x7362d09c);
    expect([slice.skip(64).loadCoins(), slice.loadAddress().toString()]).toEqual([
      12_500_000n,
      ledger.faucet.address.toString(),
    ]);
    expect(slice.loadMaybeRef()?.equals(comment("invoice 7"))).toBe(true);
    const [rest] = await ledger.client.getTransactions(ledger.faucet.address, { limit: 1 });
    expect(rest?.inMessage?.body.beginParse().loadUint(32)).toBe(0xd53276db);

    const own = await ledger.dollarWallet(receiver.address);
    const body = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(0, 64)
      .storeCoins(99_000_000n)
      .storeAddress(ledger.faucet.address)
      .storeAddress(receiver.address)
      .storeBit(false)
      .storeCoins(0n)
      .storeBit(false)
      .endCell();
    await ledger.client.open(receiver).sendTransfer({
      seqno: 0,
      secretKey,
      messages: [internal({ to: own, value: "0.1", bounce: true, body })],
    });
    await ledger.mine(4);
    expect(await ledger.dollarsOf(receiver.address)).toBe(12_500_000n);
    const [failed] = await ledger.client.getTransactions(own, { limit: 1 });
    expect(failed?.description).toMatchObject({ aborted: true, computePhase: { exitCode: 706 } });
  });
});

describe("an external message", () => {
  const transferOf = (seqno: number, key = ledger.secretKey): string => {
    const body = ledger.faucet.createTransfer({
      seqno,
      secretKey: key,
      messages: [internal({ to: newAddress(), value: "1", bounce: false })],
    });
    const message = external({ to: ledger.faucet.address, body });
    return beginCell().store(storeMessage(message)).endCell().toBoc().toString("base64");
  };
  const seqno = (): Promise<number> => ledger.client.open(ledger.faucet).getSeqno();

  it("with a used or future sequence number, or a wrong signature, is refused", async () => {
    const next = await seqno();
    const refusals = [
      [transferOf(next - 1), "exitcode=33"],
      [transferOf(next + 1), "exitcode=33"],
      [transferOf(next, nextKey().secretKey), "exitcode=35"],
    ] as const;
    for (const [boc, exit] of refusals) {
      const { code, error } = await errorOf("sendBoc", { boc });
      expect(code).toBe(500);
      expect(error).toMatch(/^LITE_SERVER_UNKNOWN: .*External message was not accepted/);
      expect(error).toContain(exit);
    }
    await ledger.mine(1);
    expect(await seqno()).toBe(next);
  });

  it("is included once, also when another one has its sequence number", async () => {
    const next = await seqno();
    const [first, second] = [transferOf(next), transferOf(next)];
    const hashes = await ledger.ask("sendBocReturnHash", { boc: first });
    expect(hashes["result"]).toMatchObject({ "@type": "raw.extMessageInfo" });
    for (const boc of [first, second])
      expect(await ledger.ask("sendBoc", { boc })).toMatchObject({ result: { "@type": "ok" } });
    await ledger.mine(2);
    expect(await seqno()).toBe(next + 1);
    const { hash } = hashes["result"] as { readonly hash: string };
    const [sent] = await ledger.client.getTransactions(ledger.faucet.address, { limit: 1 });
    const { inMessage } = present(sent, "the transfer");
    expect(inMessage?.info.type).toBe("external-in");
    const found = await ledger.read("transactionsByMessage", { msg_hash: hash });
    expect(found["transactions"]).toHaveLength(1);
  });

  it("of which nobody can read the bytes, or to an unknown account, is refused", async () => {
    expect((await errorOf("sendBoc", { boc: "AAAA" }))["error"]).toMatch(/^INVALID_BAG_OF_CELLS/);
    expect(await errorOf("sendBoc", { boc: "*" })).toMatchObject({ code: 422 });
    const stray = external({ to: newAddress(), body: comment("") });
    const boc = beginCell().store(storeMessage(stray)).endCell().toBoc().toString("base64");
    expect(await errorOf("sendBoc", { boc })).toMatchObject({
      code: 500,
      error:
        "LITE_SERVER_UNKNOWN: cannot apply external message to current state : Failed to unpack account state",
    });
  });

  it("that was swallowed or dropped never arrives", async () => {
    const next = await seqno();
    await ledger.control("/swallow-broadcasts", { count: 1 });
    const boc = transferOf(next);
    expect(await ledger.ask("sendBoc", { boc })).toMatchObject({ ok: true });
    await ledger.mine(1);
    expect(await seqno()).toBe(next);
    await ledger.ask("sendBoc", { boc });
    await ledger.control("/drop-waiting", {});
    await ledger.mine(1);
    expect(await seqno()).toBe(next);
    await ledger.ask("sendBoc", { boc });
    await ledger.mine(1);
    expect(await seqno()).toBe(next + 1);
  });
});

describe("the blocks", () => {
  it("contain each transaction once, in a block that one masterchain block is the first to refer to", async () => {
    const { client } = ledger;
    await ledger.payDollars(newAddress(), 1n, { forward: 10_000_000n });
    const { latestSeqno } = await client.getMasterchainInfo();
    const walked: string[] = [];
    const tops = new Map<string, number>();
    for (let seqno = 1; seqno <= latestSeqno; seqno += 1)
      for (const { seqno: newest, shard, workchain } of await client.getWorkchainShards(seqno)) {
        const from = (tops.get(shard) ?? 0) + 1;
        tops.set(shard, newest);
        for (let one = from; one <= newest; one += 1)
          for (const { hash } of await client.getShardTransactions(workchain, one, shard))
            walked.push(hash);
      }
    expect(new Set(walked).size).toBe(walked.length);
    const listed: string[] = [];
    for (let seqno = 1; seqno <= latestSeqno; seqno += 1) {
      const { transactions } = (await ledger.read("transactionsByMasterchainBlock", {
        seqno: String(seqno),
        limit: "1000",
      })) as { readonly transactions: readonly { hash: string; mc_block_seqno: number }[] };
      for (const { hash, mc_block_seqno } of transactions) {
        expect(mc_block_seqno).toBe(seqno);
        listed.push(hash);
      }
    }
    expect(new Set(listed)).toEqual(new Set(walked));
  });

  it("have rising logical times, and each message is received after it was sent", async () => {
    const { transactions } = (await ledger.read("transactions", {
      limit: "1000",
      sort: "asc",
    })) as {
      readonly transactions: readonly {
        readonly lt: string;
        readonly in_msg: { readonly created_lt: string | null };
      }[];
    };
    expect(transactions.length).toBeGreaterThan(10);
    for (const { in_msg, lt } of transactions)
      expect(BigInt(lt)).toBeGreaterThan(BigInt(in_msg.created_lt ?? "0"));
  });

  it("name a network of their own, and refuse what does not exist yet", async () => {
    const { result } = await ledger.ask("getMasterchainInfo");
    const { init, last } = result as { readonly init: Answer; readonly last: Answer };
    expect(init).toMatchObject({ "@type": "ton.blockIdExt", workchain: -1, seqno: 0 });
    const header = await ledger.ask("getBlockHeader", last);
    expect(header["result"]).toMatchObject({ id: last, global_id: -217 });
    const beyond = await errorOf("shards", { seqno: Number(last["seqno"]) + 1 });
    expect(beyond).toMatchObject({ code: 500 });
    expect(beyond["error"]).toMatch(/^LITE_SERVER_NOTREADY: /);
    expect(await errorOf("getAddressInformation", { address: "nobody" })).toMatchObject({
      code: 422,
    });
    expect(await errorOf("mintMoney", {})).toMatchObject({ code: 404 });
  });
});

describe("a get method", () => {
  it("runs on the state of any masterchain block", async () => {
    const address = ledger.faucet.address.toString();
    const { latestSeqno } = await ledger.client.getMasterchainInfo();
    const before = await ledger.client.open(ledger.faucet).getSeqno();
    await ledger.pay(newAddress(), 1n);
    const at = async (seqno: number): Promise<unknown> => {
      const answer = await ledger.ask("runGetMethod", {
        address,
        method: "seqno",
        stack: [],
        seqno,
      });
      return (answer["result"] as Answer)["stack"];
    };
    expect(await at(latestSeqno)).toEqual([["num", `0x${before.toString(16)}`]]);
    expect(await at(latestSeqno + 2)).toEqual([["num", `0x${(before + 1).toString(16)}`]]);
  });

  it("that a contract does not have, or an account without one, ends with its exit code", async () => {
    const run = async (address: Address, method: string): Promise<unknown> =>
      (await ledger.ask("runGetMethod", { address: address.toString(), method, stack: [] }))[
        "result"
      ];
    expect(await run(ledger.faucet.address, "nothing")).toMatchObject({ exit_code: 11 });
    expect(await run(newAddress(), "seqno")).toMatchObject({ exit_code: -13, stack: [] });
  });
});

describe("the file of the blocks", () => {
  it("continues the chain after a restart, also if its last line was cut off", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sluice-ton-restart-"));
    const receiver = newAddress();
    try {
      const first = await startPrivateTon({ folder });
      await first.pay(receiver, toNano("2"));
      const before = await first.client.getMasterchainInfo();
      const [paid] = await first.client.getTransactions(receiver, { limit: 1 });
      await first.stop();
      await appendFile(join(folder, "blocks.jsonl"), '{"seqno":');
      const second = await startPrivateTon({ folder });
      expect(await second.client.getMasterchainInfo()).toEqual(before);
      const [again] = await second.client.getTransactions(receiver, { limit: 1 });
      expect(again?.hash()).toEqual(paid?.hash());
      await second.pay(receiver, toNano("1"));
      // Storage costs a little between the two payments.
      const balance = await second.client.getBalance(receiver);
      expect([balance > toNano("2.9999"), balance <= toNano("3")]).toEqual([true, true]);
      await second.stop();
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
