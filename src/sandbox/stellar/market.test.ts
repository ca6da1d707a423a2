/**
 * Shows that offers, path payments and claimable balances of the official SDK, unmodified, work on the simulated network as on a real one,
 * with its result codes, and that the SDK reads them back from Horizon.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Asset,
  Claimant,
  Horizon,
  Keypair,
  Operation,
  rpc,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from "@stellar/stellar-sdk";
import { request } from "undici";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../platform/kernel/logger.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { type Stellar, startStellar } from "./start-stellar.ts";

const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const coin = Asset.native();
let folder = "";
let network: Stellar;
let server: rpc.Server;
let horizon: Horizon.Server;
let faucet: Keypair;

async function start(): Promise<void> {
  network = await startStellar({ folder, port: 0, minesOnTime: false, ...world });
  server = new rpc.Server(network.rpcUrl, { allowHttp: true });
  horizon = new Horizon.Server(network.horizonUrl, { allowHttp: true });
  faucet = Keypair.fromSecret(network.faucetSecret);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-stellar-"));
  await start();
});
afterAll(async () => {
  await network.stop();
  await rm(folder, { recursive: true, force: true });
});

async function build(keys: Keypair, operations: readonly xdr.Operation[], others: Keypair[] = []) {
  const builder = new TransactionBuilder(await server.getAccount(keys.publicKey()), {
    fee: "100",
    networkPassphrase: network.networkPassphrase,
  });
  for (const operation of operations) builder.addOperation(operation);
  const transaction: Transaction = builder.setTimeout(0).build();
  transaction.sign(keys, ...others);
  return transaction;
}

/** Sends operations, closes the ledger, and resolves with `SUCCESS` or the codes of what failed, and the transaction's hash. */
async function send(keys: Keypair, operations: readonly xdr.Operation[], others: Keypair[] = []) {
  const sent = await server.sendTransaction(await build(keys, operations, others));
  expect(sent.status).toBe("PENDING");
  await moveOn(0);
  const done = await server.getTransaction(sent.hash);
  if (done.status !== rpc.Api.GetTransactionStatus.FAILED)
    return { code: done.status, hash: sent.hash };
  const { result } = done.resultXdr;
  const results = result.type === "txFailed" ? result.results : [];
  const codes = results.map((one) => (one.type === "opInner" ? one.tr.value.type : one.type));
  return { code: codes.join(), hash: sent.hash };
}
const codeOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).code;
async function succeed(...sent: Parameters<typeof send>): Promise<string> {
  const { code, hash } = await send(...sent);
  expect(code).toBe("SUCCESS");
  return hash;
}

async function moveOn(seconds: number): Promise<void> {
  const body = JSON.stringify({ blocks: 1, seconds });
  const response = await request(`${network.sandboxUrl}/mine`, { method: "POST", body });
  await response.body.dump();
}

/** A new issuer's token; accounts that hold it; and its name for trust lines. */
async function issue(code: string): Promise<{ asset: Asset; issuer: Keypair }> {
  const issuer = await newAccount();
  return { issuer, asset: new Asset(code, issuer.publicKey()) };
}

async function newAccount(startingBalance = "1000"): Promise<Keypair> {
  const keys = Keypair.random();
  await succeed(faucet, [
    Operation.createAccount({ destination: keys.publicKey(), startingBalance }),
  ]);
  return keys;
}

async function trust(keys: Keypair, ...assets: readonly Asset[]): Promise<void> {
  await succeed(
    keys,
    assets.map((asset) => Operation.changeTrust({ asset })),
  );
}

async function held(keys: Keypair, asset: Asset): Promise<string> {
  const { balances } = await horizon.loadAccount(keys.publicKey());
  const name = (line: (typeof balances)[number]): string =>
    "asset_code" in line ? `${line.asset_code}:${line.asset_issuer}` : "native";
  return balances.find((line) => name(line) === asset.toString())?.balance ?? "none";
}

const sell = (selling: Asset, buying: Asset, amount: string, price: string | object) =>
  Operation.manageSellOffer({ selling, buying, amount, price: price as string });

let token: Asset;
let issuer: Keypair;
let maker: Keypair;

/** Each test has a token, and a maker who has 1,000 of it. */
beforeEach(async () => {
  ({ asset: token, issuer } = await issue("TOK"));
  maker = await newAccount();
  await trust(maker, token);
  await succeed(issuer, [
    Operation.payment({ destination: maker.publicKey(), asset: token, amount: "1000" }),
  ]);
});

describe("an offer", () => {
  it("waits in the book, where Horizon shows it, and keeps what it sells", async () => {
    await succeed(maker, [sell(token, coin, "600", "0.5")]);
    const { records } = await horizon.offers().seller(maker.publicKey()).call();
    expect(records).toMatchObject([
      { amount: "600.0000000", price: "0.5000000", selling: { asset_code: "TOK" } },
    ]);
    const { asks, bids } = await horizon.orderbook(token, coin).call();
    expect(asks).toMatchObject([{ price: "0.5000000", amount: "600.0000000" }]);
    expect(bids).toEqual([]);
    const { balances } = await horizon.loadAccount(maker.publicKey());
    expect(balances).toMatchObject([
      { balance: "1000.0000000", selling_liabilities: "600.0000000" },
      { buying_liabilities: "300.0000000" },
    ]);
    const pay = Operation.payment({ destination: issuer.publicKey(), asset: token, amount: "401" });
    expect(await codeOf(maker, [pay])).toBe("paymentUnderfunded");
    expect(await codeOf(maker, [sell(token, coin, "401", "1")])).toBe("manageSellOfferUnderfunded");
  });

  it("takes cheaper ones at their prices, and leaves the rest in the book", async () => {
    await succeed(maker, [sell(token, coin, "100", "1"), sell(token, coin, "100", "2")]);
    const taker = await newAccount();
    await trust(taker, token);
    const hash = await succeed(taker, [
      Operation.manageBuyOffer({ selling: coin, buying: token, buyAmount: "150", price: "1.5" }),
    ]);
    expect(await held(taker, token)).toBe("100.0000000");
    const { records } = await horizon.offers().seller(taker.publicKey()).call();
    expect(records).toMatchObject([{ amount: "75.0000000", price: "0.6666667" }]);
    const effects = await horizon.effects().forTransaction(hash).call();
    expect(effects.records.map(({ type }) => type)).toEqual(["trade", "trade"]);
  });

  it("that is passive takes none at its own price", async () => {
    await succeed(maker, [sell(token, coin, "100", "1")]);
    const taker = await newAccount();
    await trust(taker, token);
    const offer = { selling: coin, buying: token, amount: "50", price: "1" };
    await succeed(taker, [Operation.createPassiveSellOffer(offer)]);
    expect(await held(taker, token)).toBe("0.0000000");
    await succeed(taker, [Operation.manageSellOffer(offer)]);
    expect(await held(taker, token)).toBe("50.0000000");
  });

  it("is changed and removed by its number, which gives its reserve back", async () => {
    await succeed(maker, [sell(token, coin, "600", "0.5")]);
    const [offer] = (await horizon.offers().seller(maker.publicKey()).call()).records;
    const numbered = { selling: token, buying: coin, offerId: String(offer?.id) };
    await succeed(maker, [Operation.manageSellOffer({ ...numbered, amount: "10", price: "3" })]);
    const changed = await horizon.offers().offer(String(offer?.id)).call();
    expect(changed).toMatchObject({ amount: "10.0000000", price: "3.0000000" });
    const before = await horizon.loadAccount(maker.publicKey());
    await succeed(maker, [Operation.manageSellOffer({ ...numbered, amount: "0", price: "3" })]);
    const after = await horizon.loadAccount(maker.publicKey());
    expect([before.subentry_count, after.subentry_count]).toEqual([2, 1]);
    expect(
      await codeOf(maker, [Operation.manageSellOffer({ ...numbered, amount: "1", price: "3" })]),
    ).toBe("manageSellOfferNotFound");
  });

  it("is refused without trust lines, without a reserve, and against its own maker", async () => {
    const stranger = await newAccount("1.6");
    expect(await codeOf(stranger, [sell(coin, token, "0.1", "1")])).toBe(
      "manageSellOfferBuyNoTrust",
    );
    expect(await codeOf(stranger, [sell(token, coin, "0.1", "1")])).toBe(
      "manageSellOfferSellNoTrust",
    );
    await trust(stranger, token);
    expect(await codeOf(stranger, [sell(token, coin, "1", "1")])).toBe(
      "manageSellOfferUnderfunded",
    );
    expect(await codeOf(stranger, [sell(coin, token, "0.05", "1")])).toBe(
      "manageSellOfferLowReserve",
    );
    expect(await codeOf(maker, [sell(token, coin, "10", "1"), sell(coin, token, "10", "1")])).toBe(
      "manageSellOfferSuccess,manageSellOfferCrossSelf",
    );
    expect(await codeOf(maker, [sell(token, token, "1", "1")])).toBe("manageSellOfferMalformed");
  });
});

describe("a path payment", () => {
  const strictSend = (destination: Keypair, sendAmount: string, destMin: string, more = {}) =>
    Operation.pathPaymentStrictSend({
      sendAsset: coin,
      sendAmount,
      destination: destination.publicKey(),
      destAsset: token,
      destMin,
      ...more,
    });
  const strictReceive = (destination: Keypair, destAmount: string, sendMax: string, more = {}) =>
    Operation.pathPaymentStrictReceive({
      sendAsset: coin,
      sendMax,
      destination: destination.publicKey(),
      destAsset: token,
      destAmount,
      ...more,
    });

  it("delivers what the cheapest offers give for what it sends", async () => {
    await succeed(maker, [sell(token, coin, "100", "0.5"), sell(token, coin, "100", "2")]);
    const receiver = await newAccount();
    await trust(receiver, token);
    const paths = await horizon.strictSendPaths(coin, "80", receiver.publicKey()).call();
    expect(paths.records.map((one) => one.destination_amount)).toContain("115.0000000");
    expect(await codeOf(faucet, [strictSend(receiver, "80", "115.0000001")])).toBe(
      "pathPaymentStrictSendUnderDestmin",
    );
    const hash = await succeed(faucet, [strictSend(receiver, "80", "115")]);
    expect([await held(receiver, token), await held(maker, token)]).toEqual([
      "115.0000000",
      "885.0000000",
    ]);
    const { records } = await horizon.operations().forTransaction(hash).call();
    expect(records).toMatchObject([
      {
        type: "path_payment_strict_send",
        amount: "115.0000000",
        source_amount: "80.0000000",
        asset_code: "TOK",
        to: receiver.publicKey(),
      },
    ]);
    const effects = await horizon.effects().forTransaction(hash).call();
    expect(effects.records.map(({ type }) => type)).toEqual([
      "account_credited",
      "account_debited",
      "trade",
      "trade",
      "trade",
      "trade",
    ]);
  });

  it("takes for an exact amount what the cheapest offers ask, and no more than its limit", async () => {
    await succeed(maker, [sell(token, coin, "100", "0.5"), sell(token, coin, "100", "2")]);
    const receiver = await newAccount();
    await trust(receiver, token);
    const paths = await horizon.strictReceivePaths([coin], token, "115").call();
    expect(paths.records.map((one) => one.source_amount)).toContain("80.0000000");
    expect(await codeOf(faucet, [strictReceive(receiver, "115", "79.9999999")])).toBe(
      "pathPaymentStrictReceiveOverSendmax",
    );
    await succeed(faucet, [strictReceive(receiver, "115", "500")]);
    expect([await held(receiver, token), await held(maker, token)]).toEqual([
      "115.0000000",
      "885.0000000",
    ]);
  });

  it("goes through another asset on its path", async () => {
    const { asset: other, issuer: otherIssuer } = await issue("MID");
    await trust(maker, other);
    await succeed(otherIssuer, [
      Operation.payment({ destination: maker.publicKey(), asset: other, amount: "100" }),
    ]);
    await succeed(maker, [sell(other, coin, "100", "1")]);
    await succeed(otherIssuer, [Operation.changeTrust({ asset: token })]);
    const seller = await newAccount();
    await trust(seller, token, other);
    await succeed(issuer, [
      Operation.payment({ destination: seller.publicKey(), asset: token, amount: "50" }),
    ]);
    await succeed(seller, [sell(token, other, "50", "2")]);
    const receiver = await newAccount();
    await trust(receiver, token);
    const direct = strictReceive(receiver, "5", "100");
    expect(await codeOf(faucet, [direct])).toBe("pathPaymentStrictReceiveTooFewOffers");
    await succeed(faucet, [strictReceive(receiver, "5", "10", { path: [other] })]);
    expect([await held(receiver, token), await held(seller, other)]).toEqual([
      "5.0000000",
      "10.0000000",
    ]);
  });

  it("is refused by an empty book, its own offer, and a receiver without a trust line", async () => {
    const receiver = await newAccount();
    expect(await codeOf(faucet, [strictSend(receiver, "1", "1")])).toBe(
      "pathPaymentStrictSendTooFewOffers",
    );
    await succeed(maker, [sell(token, coin, "10", "1")]);
    expect(await codeOf(faucet, [strictReceive(receiver, "1", "1")])).toBe(
      "pathPaymentStrictReceiveNoTrust",
    );
    expect(await codeOf(faucet, [strictSend(receiver, "1", "1")])).toBe(
      "pathPaymentStrictSendNoTrust",
    );
    await trust(receiver, token);
    expect(await codeOf(maker, [strictSend(receiver, "1", "1")])).toBe(
      "pathPaymentStrictSendOfferCrossSelf",
    );
    expect(await codeOf(faucet, [strictReceive(receiver, "11", "100")])).toBe(
      "pathPaymentStrictReceiveTooFewOffers",
    );
    expect(await codeOf(faucet, [strictSend(Keypair.random(), "1", "1")])).toBe(
      "pathPaymentStrictSendNoDestination",
    );
  });
});

describe("a claimable balance", () => {
  const create = (amount: string, claimants: readonly Claimant[], asset = coin) =>
    Operation.createClaimableBalance({ asset, amount, claimants: [...claimants] });
  const claim = (balanceId: string) => Operation.claimClaimableBalance({ balanceId });
  const waitingFor = async (keys: Keypair) =>
    (await horizon.claimableBalances().claimant(keys.publicKey()).call()).records;

  it("leaves its sender, and arrives when it is claimed", async () => {
    const [sender, receiver] = [await newAccount("100"), await newAccount("50")];
    const transaction = await build(sender, [create("20", [new Claimant(receiver.publicKey())])]);
    const id = transaction.getClaimableBalanceId(0);
    const { hash } = await server.sendTransaction(transaction);
    await moveOn(0);
    expect(await waitingFor(receiver)).toMatchObject([
      { id, amount: "20.0000000", asset: "native", sponsor: sender.publicKey() },
    ]);
    expect(await held(sender, coin)).toBe("79.9999900");
    expect((await horizon.loadAccount(sender.publicKey())).num_sponsoring).toBe(1);
    const effects = await horizon.effects().forTransaction(hash).call();
    expect(effects.records.map(({ type }) => type)).toEqual([
      "claimable_balance_created",
      "claimable_balance_claimant_created",
      "account_debited",
    ]);
    expect(await codeOf(sender, [claim(id)])).toBe("claimClaimableBalanceCannotClaim");
    await succeed(receiver, [claim(id)]);
    expect(await held(receiver, coin)).toBe("69.9999900");
    expect(await waitingFor(receiver)).toEqual([]);
    expect((await horizon.loadAccount(sender.publicKey())).num_sponsoring).toBe(0);
    expect(await codeOf(receiver, [claim(id)])).toBe("claimClaimableBalanceDoesNotExist");
  });

  it("is claimed only while its predicate says so", async () => {
    const [sender, early, late] = [await newAccount(), await newAccount(), await newAccount()];
    const soon = Claimant.predicateBeforeRelativeTime("1000");
    await succeed(sender, [
      create("20", [
        new Claimant(early.publicKey(), soon),
        new Claimant(late.publicKey(), Claimant.predicateNot(soon)),
      ]),
    ]);
    const id = (await waitingFor(early))[0]?.id ?? "";
    expect(await codeOf(late, [claim(id)])).toBe("claimClaimableBalanceCannotClaim");
    await moveOn(2_000);
    expect(await codeOf(early, [claim(id)])).toBe("claimClaimableBalanceCannotClaim");
    await succeed(late, [claim(id)]);
    expect(await held(late, coin)).toBe("1019.9999800");
  });

  it("in a token needs trust lines on both sides, and a reserve for each claimant", async () => {
    const receiver = await newAccount();
    const one = [new Claimant(receiver.publicKey())];
    expect(await codeOf(faucet, [create("5", one, token)])).toBe("createClaimableBalanceNoTrust");
    expect(await codeOf(maker, [create("1001", one, token)])).toBe(
      "createClaimableBalanceUnderfunded",
    );
    expect(await codeOf(maker, [create("1", [...one, ...one], token)])).toBe(
      "createClaimableBalanceMalformed",
    );
    await succeed(maker, [create("5", one, token)]);
    const id = (await waitingFor(receiver))[0]?.id ?? "";
    expect(await codeOf(receiver, [claim(id)])).toBe("claimClaimableBalanceNoTrust");
    await succeed(receiver, [Operation.changeTrust({ asset: token }), claim(id)]);
    expect(await held(receiver, token)).toBe("5.0000000");
    const poor = await newAccount("1.4");
    expect(await codeOf(poor, [create("0.1", one)])).toBe("createClaimableBalanceLowReserve");
  });
});

it("Offers and claimable balances are there after a restart, and numbers go on", async () => {
  await succeed(maker, [sell(token, coin, "10", "1")]);
  const [before] = (await horizon.offers().seller(maker.publicKey()).call()).records;
  await network.stop();
  await start();
  await succeed(maker, [sell(token, coin, "10", "2")]);
  const { records } = await horizon.offers().seller(maker.publicKey()).call();
  expect(records.map(({ id }) => Number(id))).toEqual([Number(before?.id), Number(before?.id) + 1]);
});
