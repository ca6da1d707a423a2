import {
  Address,
  beginCell,
  contractAddress,
  internal,
  type StateInit,
  storeMessageRelaxed,
  toNano,
} from "@ton/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Payment, SpendStatus } from "../../src/chains/paying-port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { type HttpGateway, startHttpGateway } from "../support/http-gateway.ts";
import { type PrivateTon, startPrivateTon } from "../support/private-ton.ts";
import {
  type ConnectedTon,
  coin,
  connectTon,
  keysOf,
  sign,
  signal,
} from "../support/ton-accounts.ts";

/*
 * Payments to contracts that no longer exist afterwards, against the simulated network: the network keeps nothing of a deleted account, so the
 * outcome is not in its history. Payments to an active contract bounce if it fails.
 */

const keys = keysOf(9);
let network: PrivateTon;
let gateway: HttpGateway;
let client: ConnectedTon;
let number = 0n;
/** How often a node was asked, by method. */
const asked = new Map<string, number>();

beforeAll(async () => {
  network = await startPrivateTon();
  gateway = await startHttpGateway(new URL(network.ton.url).origin);
  gateway.alter = (_path, { method }, document) => {
    asked.set(String(method), (asked.get(String(method)) ?? 0) + 1);
    return document;
  };
  client = connect();
  await network.pay(Address.parse(client.hot), toNano("200"));
  // The first payment brings the wallet's code.
  const first = await draft(network.faucet.address, toNano("1"), null);
  await first.broadcast();
  await network.mine(4);
});
afterAll(async () => {
  await client.close();
  await gateway.close();
  await network.stop();
});

function connect(): ConnectedTon {
  return connectTon([`${gateway.url}${new URL(network.ton.url).pathname}`], keys);
}

/** A service that starts again remembers no outcome. */
async function restart(): Promise<void> {
  await client.close();
  client = connect();
}

type Contract = { readonly address: Address; readonly init: StateInit };

/**
 * A contract that sends all its coin to the faucet and is destroyed (send mode 128 + 32) by any message that has a body. Others it keeps:
 * DROP, SEMPTY, IFRET; c4 PUSH, 160 PUSHINT, SENDRAWMSG.
 */
function fleeting(name: string): Contract {
  const code = beginCell().storeBuffer(Buffer.from("30c700dced448100a0fb00", "hex")).endCell();
  const last = internal({ to: network.faucet.address, value: 0n, bounce: false, body: name });
  const init = { code, data: beginCell().store(storeMessageRelaxed(last)).endCell() };
  return { address: contractAddress(0, init), init };
}

/**
 * A contract without data, which does the same with any message of at least 16 bits, and fails with a shorter one, unless that is empty:
 * DROP, DUP, SEMPTY, IFRET; SBITS, 16 LESSINT, 9 THROWIF; PUSHREF, 160 PUSHINT, SENDRAWMSG.
 */
function withoutData(): Contract {
  const last = internal({ to: network.faucet.address, value: 0n, bounce: false, body: "no data" });
  const code = beginCell()
    .storeBuffer(Buffer.from("3020c700dcd749c110f249888100a0fb00", "hex"))
    .storeRef(beginCell().store(storeMessageRelaxed(last)).endCell())
    .endCell();
  return { address: contractAddress(0, { code }), init: { code } };
}

async function deploy({ address, init }: Contract, body = beginCell().endCell()): Promise<void> {
  await network.send([internal({ to: address, value: toNano("1"), bounce: false, init, body })]);
  expect(await lastOf(address)).not.toBe("0");
}

/** The logical time of an account's newest transaction, as the network has it. */
async function lastOf(address: Address): Promise<string> {
  const { result } = await network.ask("getAddressInformation", { address: address.toString() });
  return (result as { readonly last_transaction_id: { readonly lt: string } }).last_transaction_id
    .lt;
}

type Sent = {
  readonly bounces: unknown;
  readonly broadcast: () => Promise<void>;
  readonly status: () => Promise<SpendStatus>;
};

const payments = new Map<string, readonly Payment[]>();

async function draft(to: Address, units: bigint, comment: string | null, count = 1): Promise<Sent> {
  const { addressing, writer } = client.adapter;
  const { broadcast, draft: draftPayments } = present(writer, "a writer");
  const destination = present(addressing.parse(to.toString(), comment), "a payee");
  const each = Array.from({ length: count }, () => ({
    destination,
    amount: { units, currency: coin },
  }));
  const outcome = await draftPayments(
    {
      payments: each,
      funds: { kind: "account", address: client.hot, sequence: number },
      feeTarget: null,
      feeCeiling: toNano("10"),
      replaces: null,
    },
    signal,
  );
  number += 1n;
  if (outcome.kind !== "draft") throw new Error(outcome.kind);
  const { raw, txid } = sign(outcome.draft, each, keys);
  payments.set(txid, each);
  return {
    bounces: outcome.draft.body["bounces"],
    broadcast: async () => {
      expect(await broadcast(raw, signal)).toEqual({ kind: "accepted" });
    },
    status: () => present(client.adapter.writer, "a writer").status(txid, outcome.draft, signal),
  };
}

/** Reads every block as a service does that was just started; what they brought and took must be what the account has. */
async function expectReadable(): Promise<void> {
  await restart();
  const { reader } = client.adapter;
  const tip = await reader.tip(signal);
  const { result } = await network.ask("getMasterchainInfo");
  expect(tip.height).toBe((result as { readonly last: { readonly seqno: number } }).last.seqno);
  let balance = 0n;
  for (let height = 1; height <= tip.height; height += 1) {
    const header = present(await reader.headerAt(height, signal), "a header");
    const content = present(await reader.readBlock(header, signal), "its content");
    for (const { asset } of content.transfers)
      if (asset.kind === "currency") balance += asset.amount.units;
    for (const { amount } of content.charges ?? []) balance -= amount.units;
    const receipts = await reader.receiptsIn([...payments.keys()], header, signal);
    for (const receipt of present(receipts, "receipts")) {
      balance -= receipt.feeUnits ?? 0n;
      const shared = receipt.hasSucceeded ? "made" : "refused";
      for (const [place, { amount }] of present(payments.get(receipt.txid), "paid").entries())
        if ((receipt.payments?.[place] ?? shared) === "made") balance -= amount.units;
    }
  }
  expect(await reader.balancesAt([client.hot], coin, tip.hash, signal)).toEqual([balance]);
}

/** Lets a message become so old that it has arrived, if it ever does. */
async function wait(): Promise<void> {
  await network.control("/mine", { seconds: 30, blocks: 4 });
}

it("a payment that its receiver forwards, with which it is destroyed, has arrived", async () => {
  const receiver = fleeting("forwards");
  await deploy(receiver);
  const { bounces, broadcast, status } = await draft(receiver.address, toNano("2"), "bye");
  expect(bounces).toBe(true);
  await broadcast();
  await network.mine(6);
  expect(await lastOf(receiver.address)).toBe("0");
  await wait();
  expect(await status()).toMatchObject({ kind: "mined", hasSucceeded: true });
  await expectReadable();
});

it("a payment whose receiver was destroyed before it arrived has come back", async () => {
  const receiver = fleeting("is gone");
  await deploy(receiver);
  const { bounces, broadcast, status } = await draft(receiver.address, toNano("3"), null);
  expect(bounces).toBe(true);
  await network.pay(receiver.address, toNano("0.5"), "bye");
  expect(await lastOf(receiver.address)).toBe("0");
  await broadcast();
  await network.mine(6);
  expect(await lastOf(receiver.address)).toBe("0");
  await wait();
  expect(await status()).toMatchObject({ kind: "mined", hasSucceeded: false });
  await expectReadable();
});

it("a payment stays known once its destroyed receiver exists again", async () => {
  const receiver = fleeting("comes back");
  await deploy(receiver);
  const { broadcast, status } = await draft(receiver.address, toNano("2"), "bye");
  await broadcast();
  await network.mine(6);
  await deploy(receiver);
  await wait();
  expect(await status()).toMatchObject({ kind: "mined", hasSucceeded: true });
  await expectReadable();
});

it("a payment stays known if its receiver exists again without data, and can be paid again", async () => {
  const receiver = withoutData();
  await deploy(receiver);
  const { broadcast, status } = await draft(receiver.address, toNano("2"), "bye");
  await broadcast();
  await network.mine(6);
  // Once gas was accepted, an account has its code, and without data if that failed.
  await deploy(receiver, beginCell().storeUint(1, 8).endCell());
  const { result } = await network.ask("getAddressInformation", {
    address: receiver.address.toString(),
  });
  expect(result).toMatchObject({ state: "active", data: "" });
  await wait();
  expect(await status()).toMatchObject({ kind: "mined", hasSucceeded: true });
  await expectReadable();

  const { addressing, writer } = client.adapter;
  const destination = present(addressing.parse(receiver.address.toString(), null), "a payee");
  expect(await writer?.account?.receiver?.(destination, coin, signal)).toEqual({ kind: "ready" });
  const again = await draft(receiver.address, toNano("2"), "bye");
  expect(again.bounces).toBe(true);
  await again.broadcast();
  await network.mine(6);
  await wait();
  expect(await again.status()).toMatchObject({ kind: "mined", hasSucceeded: true });
  await expectReadable();
});

it("the tip waits for such a payment until it can be searched, and no longer", async () => {
  const { reader } = client.adapter;
  const receiver = fleeting("waits");
  await deploy(receiver);
  const before = await reader.tip(signal);
  const { broadcast } = await draft(receiver.address, toNano("2"), "bye");
  await broadcast();
  await network.mine(6);
  expect((await reader.tip(signal)).height).toBe(before.height);
  await wait();
  expect((await reader.tip(signal)).height).toBe(before.height + 10);
});

it("a search begins again after a node has left out the transaction", async () => {
  const receiver = fleeting("is overlooked");
  await deploy(receiver);
  const { broadcast } = await draft(receiver.address, toNano("2"), "bye");
  await broadcast();
  await network.mine(6);
  await wait();
  const honest = gateway.alter;
  gateway.alter = (_path, { method }, document) => {
    const { result } = document as { readonly result: object };
    return method === "getBlockTransactions"
      ? { ok: true, result: { ...result, transactions: [] } }
      : document;
  };
  const { reader } = client.adapter;
  const before = await reader.tip(signal);
  gateway.alter = honest;
  await network.mine(1);
  expect((await reader.tip(signal)).height).toBe(before.height);
  await network.mine(300);
  expect((await reader.tip(signal)).height).toBeGreaterThan(before.height + 300);
});

it("a payment to a busy receiver is found without reading all that it did since", async () => {
  const receiver = fleeting("is busy");
  await deploy(receiver);
  const { broadcast, status } = await draft(receiver.address, toNano("0.01"), null);
  await broadcast();
  await network.mine(4);
  for (let batch = 0; batch < 2; batch += 1) {
    const { broadcast: send } = await draft(receiver.address, toNano("0.01"), null, 50);
    await send();
    await network.mine(4);
  }
  await restart();
  asked.clear();
  expect(await status()).toMatchObject({ kind: "mined", hasSucceeded: true });
  expect(asked.get("getBlockTransactions")).toBeGreaterThan(0);
});
