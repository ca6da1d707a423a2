/**
 * Shows that the official SDK, unmodified, pays on the simulated network through stellar-rpc and Horizon and reads back, that the network
 * refuses what a real one refuses, and that the service's reader reads the same.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Account,
  AccountRequiresMemoError,
  Asset,
  Claimant,
  Horizon,
  Keypair,
  Memo,
  MuxedAccount,
  Operation,
  rpc,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from "@stellar/stellar-sdk";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpNodes } from "../../chains/rpc/http-nodes.ts";
import { createStellarReader } from "../../chains/stellar/reader.ts";
import { createStellarNode } from "../../chains/stellar/stellar-node.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { type Stellar, startStellar } from "./start-stellar.ts";

const { signal } = new AbortController();
const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
let folder = "";
let network: Stellar;
let server: rpc.Server;
let horizon: Horizon.Server;
let faucet: Keypair;

const start = () => startStellar({ folder, port: 0, minesOnTime: false, ...world });
const connect = (): void => {
  server = new rpc.Server(network.rpcUrl, { allowHttp: true });
  horizon = new Horizon.Server(network.horizonUrl, { allowHttp: true });
  faucet = Keypair.fromSecret(network.faucetSecret);
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-stellar-"));
  network = await start();
  connect();
});
afterAll(async () => {
  await network.stop();
  await rm(folder, { recursive: true, force: true });
});

async function command(path: string, body: object): Promise<void> {
  const response = await request(`${network.sandboxUrl}${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  expect(response.statusCode).toBe(200);
  await response.body.dump();
}
const close = (blocks = 1) => command("/mine", { blocks });

type Extra = { memo?: Memo; fee?: string; seconds?: number; passphrase?: string; more?: Keypair[] };

async function build(
  keys: Keypair,
  operations: readonly xdr.Operation[],
  { memo = Memo.none(), fee = "100", seconds = 0, passphrase, more = [] }: Extra = {},
): Promise<Transaction> {
  const builder = new TransactionBuilder(await server.getAccount(keys.publicKey()), {
    fee,
    networkPassphrase: passphrase ?? network.networkPassphrase,
  });
  for (const operation of operations) builder.addOperation(operation);
  const transaction = builder.addMemo(memo).setTimeout(seconds).build();
  transaction.sign(keys, ...more);
  return transaction;
}

/** Sends a transaction, closes the ledger and returns what the SDK reads back. */
async function execute(transaction: Transaction): Promise<rpc.Api.GetTransactionResponse> {
  const sent = await server.sendTransaction(transaction);
  expect(sent.status).toBe("PENDING");
  await close();
  return await server.getTransaction(sent.hash);
}

async function resultOf(transaction: Transaction): Promise<string> {
  const done = await execute(transaction);
  if (done.status !== rpc.Api.GetTransactionStatus.FAILED) return done.status;
  const { result } = done.resultXdr;
  if (result.type !== "txFailed") return result.type;
  return result.results
    .map((one) => (one.type === "opInner" ? one.tr.value.type : one.type))
    .join();
}

async function refusalOf(transaction: Transaction): Promise<string> {
  const sent = await server.sendTransaction(transaction);
  return sent.errorResult?.result.type ?? sent.status;
}

const pay = (destination: string, amount: string, asset = Asset.native()) =>
  Operation.payment({ destination, amount, asset });

async function fundedAccount(startingBalance = "100"): Promise<Keypair> {
  const keys = Keypair.random();
  const operation = Operation.createAccount({ destination: keys.publicKey(), startingBalance });
  await execute(await build(faucet, [operation]));
  return keys;
}
const dollar = () => {
  const [code = "", issuer = ""] = (network.tokens["USDC-XLM"] ?? "").split(":");
  return new Asset(code, issuer);
};

async function balanceOf(keys: Keypair): Promise<string> {
  return String((await server.getAccountEntry(keys.publicKey())).balance);
}

describe("the official SDK", () => {
  it("pays over stellar-rpc and reads the transaction, the account and the ledger back", async () => {
    const receiver = await fundedAccount();
    const done = await execute(await build(faucet, [pay(receiver.publicKey(), "12.5")]));
    expect(done.status).toBe("SUCCESS");
    expect(await balanceOf(receiver)).toBe("1125000000");
    const { ledgers } = await server.getLedgers({
      startLedger: (await server.getLatestLedger()).sequence,
      pagination: { limit: 1 },
    });
    expect(ledgers).toHaveLength(1);
    expect((await server.getNetwork()).passphrase).toBe(network.networkPassphrase);
  });

  it("pays over Horizon, whose balances it reads", async () => {
    const receiver = await fundedAccount();
    const sent = await horizon.submitTransaction(
      await build(faucet, [pay(receiver.publicKey(), "7")]),
    );
    expect(sent.successful).toBe(true);
    const account = await horizon.loadAccount(receiver.publicKey());
    expect(account.balances).toMatchObject([{ asset_type: "native", balance: "107.0000000" }]);
    expect((await horizon.transactions().transaction(sent.hash).call()).hash).toBe(sent.hash);
  });

  it("gets an account from friendbot", async () => {
    const keys = Keypair.random();
    await server.fundAddress(keys.publicKey());
    expect(await balanceOf(keys)).toBe("100000000000");
  });

  it("moves test dollars along a trust line, and refuses them without one", async () => {
    const receiver = await fundedAccount();
    const payment = [pay(receiver.publicKey(), "5", dollar())];
    expect(await resultOf(await build(faucet, payment))).toBe("paymentNoTrust");
    await execute(await build(receiver, [Operation.changeTrust({ asset: dollar() })]));
    expect(await resultOf(await build(faucet, payment))).toBe("SUCCESS");
    const held = await server.getAssetBalance(receiver.publicKey(), dollar());
    expect(held.balanceEntry?.amount).toBe("50000000");
    await expect(
      horizon.submitTransaction(await build(receiver, [pay(faucet.publicKey(), "6", dollar())])),
    ).rejects.toMatchObject({
      response: {
        data: {
          extras: {
            result_codes: { transaction: "tx_failed", operations: ["op_underfunded"] },
          },
        },
      },
    });
  });

  it("finds that an account wants a memo", async () => {
    const receiver = await fundedAccount();
    const marked = Operation.manageData({ name: "config.memo_required", value: "1" });
    expect(await resultOf(await build(receiver, [marked]))).toBe("SUCCESS");
    const payment = [pay(receiver.publicKey(), "1")];
    await expect(horizon.submitTransaction(await build(faucet, payment))).rejects.toThrow(
      AccountRequiresMemoError,
    );
    const tagged = await build(faucet, payment, { memo: Memo.id("7") });
    expect((await horizon.submitTransaction(tagged)).successful).toBe(true);
  });
});

describe("the simulated network refuses", () => {
  it("a wrong signature, a missing one and one too many", async () => {
    const operations = [pay(faucet.publicKey(), "1")];
    const foreign = await build(faucet, operations, { passphrase: "another network" });
    expect(await refusalOf(foreign)).toBe("txBadAuth");
    const unsigned = await build(faucet, operations);
    unsigned.signatures.splice(0);
    expect(await refusalOf(unsigned)).toBe("txBadAuth");
    const extra = await build(faucet, operations, { more: [Keypair.random()] });
    expect(await refusalOf(extra)).toBe("txBadAuthExtra");
  });

  it("a used sequence, and one that leaves a gap", async () => {
    const payer = await fundedAccount();
    const used = await build(payer, [pay(faucet.publicKey(), "1")]);
    await execute(used);
    expect(await refusalOf(used)).toBe("txBadSeq");
    const { seqNum } = await server.getAccountEntry(payer.publicKey());
    const ahead = new TransactionBuilder(new Account(payer.publicKey(), String(seqNum + 1n)), {
      fee: "100",
      networkPassphrase: network.networkPassphrase,
    })
      .addOperation(pay(faucet.publicKey(), "1"))
      .setTimeout(0)
      .build();
    ahead.sign(payer);
    expect(await refusalOf(ahead)).toBe("txBadSeq");
  });

  it("a second transaction of one account in the same ledger, until the first is in one", async () => {
    const payer = await fundedAccount();
    const first = await build(payer, [pay(faucet.publicKey(), "1")]);
    const second = await build(payer, [pay(faucet.publicKey(), "2")]);
    expect((await server.sendTransaction(first)).status).toBe("PENDING");
    expect((await server.sendTransaction(first)).status).toBe("DUPLICATE");
    expect((await server.sendTransaction(second)).status).toBe("TRY_AGAIN_LATER");
    await close();
    expect(await refusalOf(second)).toBe("txBadSeq");
  });

  it("a transaction after its time, also one that waited", async () => {
    const payer = await fundedAccount();
    const late = await build(payer, [pay(faucet.publicKey(), "1")], { seconds: 5 });
    await command("/mine", { blocks: 1, seconds: 100 });
    expect(await refusalOf(late)).toBe("txTooLate");
    expect((await server.getTransaction(Buffer.from(late.hash()).toString("hex"))).status).toBe(
      "NOT_FOUND",
    );
  });

  it("a fee that is too low, and a balance below fee and reserve", async () => {
    const payer = await fundedAccount("1.00001");
    const cheap = await build(payer, [pay(faucet.publicKey(), "0.0000001")], { fee: "99" });
    expect(await refusalOf(cheap)).toBe("txInsufficientFee");
    const dear = await build(payer, [pay(faucet.publicKey(), "1")], { fee: "101" });
    expect(await refusalOf(dear)).toBe("txInsufficientBalance");
    const reserve = await build(payer, [pay(faucet.publicKey(), "0.5")]);
    expect(await resultOf(reserve)).toBe("paymentUnderfunded");
    expect(await balanceOf(payer)).toBe("10000000");
  });

  it("payments to accounts that do not exist, and accounts below the reserve", async () => {
    const stranger = Keypair.random().publicKey();
    const create = (startingBalance: string) =>
      Operation.createAccount({ destination: stranger, startingBalance });
    expect(await resultOf(await build(faucet, [pay(stranger, "5")]))).toBe("paymentNoDestination");
    expect(await resultOf(await build(faucet, [create("0.9")]))).toBe("createAccountLowReserve");
    expect(await resultOf(await build(faucet, [create("1")]))).toBe("SUCCESS");
    expect(await resultOf(await build(faucet, [create("1")]))).toBe("createAccountAlreadyExist");
  });

  it("every operation of a transaction if one fails", async () => {
    const receiver = await fundedAccount();
    const stranger = Keypair.random().publicKey();
    const both = await build(faucet, [pay(receiver.publicKey(), "5"), pay(stranger, "5")], {
      fee: "200",
    });
    expect(await resultOf(both)).toBe("paymentSuccess,paymentNoDestination");
    expect(await balanceOf(receiver)).toBe("1000000000");
  });
});

describe("the service's reader", () => {
  const coin = "1021" as CurrencyId;

  function reading() {
    const nodes = createHttpNodes({
      nodes: [{ url: network.rpcUrl }],
      chain: "XLM",
      timeoutMs: 5_000,
      ...world,
    });
    const node = createStellarNode("XLM", nodes);
    const currencies = builtInCurrencies.filter(({ id }) => id === coin);
    const passphrase = network.networkPassphrase;
    return {
      node,
      reader: createStellarReader({
        node,
        network: { passphrase },
        currencies,
        clock: systemClock,
      }),
    };
  }

  it("reads payments, merged accounts and new ones under their memos, and the balances that follow", async () => {
    const { node, reader } = reading();
    const receiver = await fundedAccount();
    const merged = await fundedAccount("50");
    await close();
    const before = await reader.tip(signal);
    const muxed = new MuxedAccount(new Account(receiver.publicKey(), "0"), "77").accountId();
    await execute(
      await build(faucet, [pay(receiver.publicKey(), "1"), pay(muxed, "2")], {
        memo: Memo.id("9"),
        fee: "200",
      }),
    );
    const paid = await reader.tip(signal);
    const content = await reader.readBlock(paid, signal);
    const amounts = (content?.transfers ?? []).map(({ to, asset }) => [
      to,
      asset.kind === "currency" ? asset.amount.units : null,
    ]);
    expect(amounts).toEqual([
      [`${receiver.publicKey()}:9`, 10_000_000n],
      [`${receiver.publicKey()}:77`, 20_000_000n],
    ]);
    await close();
    await execute(
      await build(merged, [Operation.accountMerge({ destination: receiver.publicKey() })]),
    );
    const held = async (hash: string) =>
      await reader.balancesAt([receiver.publicKey(), merged.publicKey()], coin, hash, signal);
    expect(await held(before.hash)).toEqual([1_000_000_000n, 500_000_000n]);
    expect(await held(paid.hash)).toEqual([1_030_000_000n, 500_000_000n]);
    expect(await held((await reader.tip(signal)).hash)).toEqual([1_529_999_900n, 0n]);
    await node.close();
  });

  it("reads a claimed balance under no memo, and nothing before", async () => {
    const { node, reader } = reading();
    const receiver = await fundedAccount();
    const created = await build(
      faucet,
      [
        Operation.createClaimableBalance({
          asset: Asset.native(),
          amount: "7",
          claimants: [new Claimant(receiver.publicKey())],
        }),
      ],
      { memo: Memo.id("9") },
    );
    const balanceId = created.getClaimableBalanceId(0);
    const arrived = async () => {
      const content = await reader.readBlock(await reader.tip(signal), signal);
      return (content?.transfers ?? []).map(({ to, asset }) => [
        to,
        asset.kind === "currency" ? asset.amount.units : null,
      ]);
    };
    await execute(created);
    expect(await arrived()).toEqual([]);
    const claim = [Operation.claimClaimableBalance({ balanceId })];
    await execute(await build(receiver, claim, { memo: Memo.id("9") }));
    expect(await arrived()).toEqual([[receiver.publicKey(), 70_000_000n]]);
    await node.close();
  });

  it("fails for ledgers that the node has no more", async () => {
    const { node, reader } = reading();
    const tip = await reader.tip(signal);
    await command("/forget", { before: tip.height });
    await expect(reader.headerAt(tip.height - 1, signal)).rejects.toThrow(/has no ledger/);
    await node.close();
  });
});

it("A network continues where it stopped", async () => {
  const receiver = await fundedAccount("123");
  const { sequence } = await server.getLatestLedger();
  await network.stop();
  network = await start();
  connect();
  expect((await server.getLatestLedger()).sequence).toBe(sequence);
  expect(await balanceOf(receiver)).toBe("1230000000");
  expect(await resultOf(await build(receiver, [pay(faucet.publicKey(), "1")]))).toBe("SUCCESS");
});
