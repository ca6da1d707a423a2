import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ImpossibleAnswer, WrongNetwork } from "../../src/chains/port.ts";
import { blockIdOf } from "../../src/chains/tron/block-id.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import { type HttpGateway, startHttpGateway } from "../support/http-gateway.ts";
import { type PrivateTron, startPrivateTron } from "../support/private-tron.ts";
import { coin, signal } from "../support/tron-accounts.ts";
import { type ConnectedTron, connectTron, describeTransfer } from "../support/tron-adapter.ts";

/*
 * java-tron nodes that lie, lag, lack history or are busy: a gateway in front of the simulated node changes its answers, and the
 * adapter asks it first, then an honest node.
 */

type Fields = Record<string, unknown>;

const depth = 19;
let ledger: PrivateTron;
let lying: HttpGateway;
let honest: HttpGateway;
let both: ConnectedTron;
let alone: ConnectedTron;
let payee: string;
let paid: { readonly height: number; readonly hash: string };

beforeAll(async () => {
  ledger = await startPrivateTron();
  const { faucet, mine, send, web } = ledger;
  payee = (await ledger.newAccount()).address;
  await send(await web.transactionBuilder.sendTrx(payee, 5, faucet));
  await mine();
  const block = await web.trx.getCurrentBlock();
  paid = { height: block.block_header.raw_data.number, hash: block.blockID };
  await mine(depth);
});
afterAll(() => ledger.stop());
beforeEach(async () => {
  [lying, honest] = await Promise.all([
    startHttpGateway(ledger.tron.url),
    startHttpGateway(ledger.tron.url),
  ]);
  both = connectTron(ledger, [lying.url, honest.url]);
  alone = connectTron(ledger, [lying.url]);
});
afterEach(async () => {
  await Promise.all([both.close(), alone.close()]);
  await Promise.all([lying.close(), honest.close()]);
});

const isEmpty = (document: unknown): boolean => Object.keys(document as Fields).length === 0;

/** Changes the documents of one method, unless they are empty. */
function change(method: string, alter: (document: never) => unknown): void {
  lying.alter = (path, _body, document) =>
    path.endsWith(`/${method}`) && !isEmpty(document) ? alter(document as never) : document;
}

/** What a client reads of the block that contains the payment. */
async function readPayment({ adapter }: ConnectedTron): Promise<readonly string[]> {
  const header = present(await adapter.reader.headerAt(paid.height, signal), "the block");
  expect(header.hash).toBe(paid.hash);
  const content = present(await adapter.reader.readBlock(header, signal), "its content");
  return content.transfers.filter(({ to }) => to === payee).map(describeTransfer);
}

type Header = { readonly block_header: { readonly raw_data: Fields } };
const changedHeader = (block: Header) => ({
  ...block,
  block_header: { ...block.block_header, raw_data: { ...block.block_header.raw_data, version: 1 } },
});

describe("the TRON reader", () => {
  it.each<[string, string, (document: never) => unknown]>([
    ["a header that does not have the block's id", "getblock", changedHeader],
    ["a block with the header of another", "getblockbyid", changedHeader],
    [
      "a block without its transactions",
      "getblockbyid",
      (block: Fields) => ({ ...block, transactions: [] }),
    ],
    [
      "a transaction with the raw data of another",
      "getblockbyid",
      (block: { readonly transactions: readonly Fields[] }) => ({
        ...block,
        transactions: block.transactions.map((one) => ({ ...one, raw_data_hex: "0a02fdf6" })),
      }),
    ],
    [
      "a transaction twice",
      "getblockbyid",
      (block: { readonly transactions: readonly Fields[] }) => ({
        ...block,
        transactions: [...block.transactions, ...block.transactions],
      }),
    ],
    [
      "a negative amount",
      "getblockbyid",
      (block: object) =>
        JSON.parse(JSON.stringify(block).replace(/"amount":5/, '"amount":-5')) as unknown,
    ],
    [
      "receipts of transactions that are not in the block",
      "gettransactioninfobyblocknum",
      (receipts: readonly Fields[]) => receipts.map((one) => ({ ...one, id: "ab".repeat(32) })),
    ],
    [
      "more receipts than transactions",
      "gettransactioninfobyblocknum",
      (receipts: readonly Fields[]) => [...receipts, { id: "ab".repeat(32) }],
    ],
  ])("fails over to the next node on %s", async (_, method, alter) => {
    change(method, alter);
    expect(await readPayment(both)).toEqual([`${payee} ${coin} 5`]);
    await expect(readPayment(alone)).rejects.toBeInstanceOf(Unavailable);
  });

  it("rejects receipts from another height", async () => {
    change("gettransactioninfobyblocknum", (receipts: readonly Fields[]) =>
      receipts.map((one) => ({ ...one, blockNumber: paid.height - 1 })),
    );
    await expect(readPayment(alone)).rejects.toBeInstanceOf(ImpossibleAnswer);
  });

  it("rejects an answer about another block", async () => {
    const other = await ledger.ask("/wallet/getblockbynum", { num: paid.height - 1 });
    lying.intercept = (path) => (path.endsWith("/getblockbyid") ? other : undefined);
    await expect(readPayment(alone)).rejects.toBeInstanceOf(ImpossibleAnswer);
  });

  it("rejects pending blocks that do not follow the solid one", async () => {
    const { faucet, mine, send, web } = ledger;
    const pendingPayee = (await ledger.newAccount()).address;
    await send(await web.transactionBuilder.sendTrx(pendingPayee, 6, faucet));
    await mine();
    // The solid block of a fork: its header has the id that it claims.
    lying.alter = (path, { id_or_num }, document) => {
      if (path !== "/walletsolidity/getblock" || id_or_num !== undefined) return document;
      const fork = changedHeader(document as Header);
      return { ...fork, blockID: blockIdOf(fork.block_header.raw_data) };
    };
    const ofLying = present(alone.adapter.reader.pendingTransfers, "pending transfers");
    await expect(ofLying(signal)).rejects.toThrow("do not follow its solid block");
    const pending = present(both.adapter.reader.pendingTransfers, "pending transfers");
    const seen = (await pending(signal)).filter(({ to }) => to === pendingPayee);
    expect(seen.map(describeTransfer)).toEqual([`${pendingPayee} ${coin} 6`]);
  });
});

describe("a node that cannot answer", () => {
  it.each<[string, string, unknown]>([
    [
      "its rate limiter refuses",
      "getblock",
      { Error: "class java.lang.IllegalAccessException : lack of computing resources" },
    ],
    [
      "a method is switched off",
      "getblockbyid",
      { Error: "this API is unavailable due to config" },
    ],
    [
      "a light node closes the method",
      "gettransactioninfobyblocknum",
      "this API is closed because this node is a lite fullnode",
    ],
    ["it keeps no receipts", "gettransactioninfobyblocknum", []],
    ["it keeps no old blocks", "getblockbyid", {}],
  ])("is skipped for the next one when %s", async (_, method, document) => {
    lying.intercept = (path, { id_or_num }) =>
      path.endsWith(`/${method}`) && id_or_num !== "0" ? document : undefined;
    if (method === "getblockbyid" && isEmpty(document)) {
      lying.intercept = (path, { id_or_num, num }) =>
        path.endsWith("/getblockbyid") || id_or_num === String(paid.height) || num === paid.height
          ? {}
          : undefined;
    }
    expect(await readPayment(both)).toEqual([`${payee} ${coin} 5`]);
    await expect(readPayment(alone)).rejects.toBeInstanceOf(Unavailable);
  });

  it("is reported with the block that it lacks", async () => {
    lying.intercept = (path, { id_or_num }) =>
      path.endsWith("/getblock") && id_or_num === String(paid.height) ? {} : undefined;
    await expect(alone.adapter.reader.headerAt(paid.height, signal)).rejects.toThrow(
      `has no block ${paid.height}: it keeps no full history`,
    );
  });

  it("returns no header above its solid block, even when it lags", async () => {
    const older = await ledger.ask("/wallet/getblock", { id_or_num: String(paid.height - 1) });
    lying.intercept = (path, { id_or_num }) => {
      if (path !== "/walletsolidity/getblock") return undefined;
      return id_or_num === undefined ? older : id_or_num === String(paid.height) ? {} : undefined;
    };
    const { reader } = alone.adapter;
    expect((await reader.tip(signal)).height).toBe(paid.height - 1);
    expect(await reader.headerAt(paid.height, signal)).toBeNull();
  });
});

describe("a node of another network", () => {
  it("is asked for block 0 and nothing else", async () => {
    const genesis = await ledger.ask<{ readonly blockID: string }>("/wallet/getblockbynum", {});
    const network = { genesisId: genesis.blockID };
    const foreign = { ...genesis, blockID: `${"0".repeat(16)}${"ab".repeat(24)}` };
    lying.alter = (path, { id_or_num }, document) =>
      path.endsWith("/getblock") && id_or_num === "0" ? foreign : document;
    const checked = connectTron(ledger, [lying.url, honest.url], { network });
    try {
      expect(await readPayment(checked)).toEqual([`${payee} ${coin} 5`]);
      expect(new Set(lying.paths)).toEqual(new Set(["/wallet/getblock"]));
    } finally {
      await checked.close();
    }
  });

  it("is rejected even if no other node is left", async () => {
    const network = { genesisId: `${"0".repeat(16)}${"ab".repeat(24)}` };
    const foreign = connectTron(ledger, [honest.url], { network });
    try {
      await expect(foreign.adapter.reader.tip(signal)).rejects.toBeInstanceOf(WrongNetwork);
    } finally {
      await foreign.close();
    }
  });
});
