/**
 * Shows how payments are quoted, drafted, signed and sent on the simulated network, what is found out before money is held, and how each of
 * our transactions ends: paid, failed, expired, or its sequence used by another.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bech32 } from "@scure/base";
import {
  Account,
  Asset,
  Keypair,
  Operation,
  rpc,
  TransactionBuilder,
  type xdr,
} from "@stellar/stellar-sdk";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import type { Currency } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { systemClock } from "../../platform/kernel/system-clock.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { type Stellar, startStellar } from "../../sandbox/stellar/start-stellar.ts";
import type { Ed25519Keys, ExtendedEd25519Keys } from "../../signer/draft-signer.ts";
import type { SpendIntent } from "../../signer/intent.ts";
import { deriveExtendedEd25519, icarusRoot } from "../../signer/keys/bip32-ed25519.ts";
import { deriveEd25519 } from "../../signer/keys/ed25519-keys.ts";
import { seedOfEntropy } from "../../signer/keys/seed-of-entropy.ts";
import { createStellarDraftSigner } from "../../signer/stellar/draft-signer.ts";
import type { ChainWriter, Draft, Payment } from "../paying-port.ts";
import type { ChainReader, Destination } from "../port.ts";
import { createHttpNodes } from "../rpc/http-nodes.ts";
import type { Channel } from "./build-transaction.ts";
import { channelsOf } from "./channels.ts";
import { validitySeconds } from "./draft-payment.ts";
import { createStellarReader } from "./reader.ts";
import { createStellarNode, type StellarNode } from "./stellar-node.ts";
import { createStellarWriter, type StellarWriterOptions } from "./writer.ts";

const { signal } = new AbortController();
const world = { clock: systemClock, random: systemRandom, logger: silentLogger };
const coin = "1021" as CurrencyId;
const token = "2910" as CurrencyId;
const entropy = new Uint8Array(16);
const seed = seedOfEntropy(entropy);
const keys: Ed25519Keys & ExtendedEd25519Keys = {
  at: () => {
    throw new Error("this chain has no secp256k1 keys");
  },
  ed25519At: (path) => deriveEd25519(seed, path),
  extendedEd25519At: (path) => deriveExtendedEd25519(icarusRoot(entropy), path),
};
// "abandon ... about" at account 1, of SEP-5.
const hotKeys = Keypair.fromSecret("SCHDCVCWGAKGIMTORV6K5DYYV3BY4WG3RA4M6MCBGJLHUCWU2MC6DL66");
const hot = hotKeys.publicKey();

const channelCount = 5;

let folder = "";
let network: Stellar;
let server: rpc.Server;
let faucet: Keypair;
let node: StellarNode;
let writer: ChainWriter;
let reader: ChainReader;
let options: StellarWriterOptions;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sluice-stellar-"));
  network = await startStellar({ folder, port: 0, minesOnTime: false, ...world });
  server = new rpc.Server(network.rpcUrl, { allowHttp: true });
  faucet = Keypair.fromSecret(network.faucetSecret);
  const nodes = createHttpNodes({
    nodes: [{ url: network.rpcUrl }],
    chain: "XLM",
    timeoutMs: 5_000,
    ...world,
  });
  node = createStellarNode("XLM", nodes);
  const dollar = present(network.tokens["USDC-XLM"], "the test token");
  const currencies = builtInCurrencies
    .filter(({ id }) => id === coin || id === token)
    .map(
      (currency): Currency =>
        currency.kind === "coin"
          ? currency
          : { ...currency, token: { contract: dollar, locator: dollar } },
    );
  options = {
    node,
    network: { passphrase: network.networkPassphrase },
    currencies,
    channels: [],
    clock: systemClock,
  };
  writer = createStellarWriter(options);
  reader = createStellarReader(options);
  await execute(
    faucet,
    [
      Operation.createAccount({ destination: hot, startingBalance: "1000" }),
      Operation.changeTrust({ asset: testDollar(), source: hot }),
      Operation.payment({ destination: hot, asset: testDollar(), amount: "50" }),
    ],
    [hotKeys],
  );
});
afterAll(async () => {
  await node.close();
  await network.stop();
  await rm(folder, { recursive: true, force: true });
});

function testDollar(): Asset {
  const [code = "", issuer = ""] = (network.tokens["USDC-XLM"] ?? "").split(":");
  return new Asset(code, issuer);
}

async function command(path: string, body: object): Promise<void> {
  const response = await request(`${network.sandboxUrl}${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  expect(response.statusCode).toBe(200);
  await response.body.dump();
}
const close = (seconds = 0) => command("/mine", { blocks: 1, seconds });

/** A payer's own transaction. */
async function execute(
  from: Keypair,
  operations: readonly xdr.Operation[],
  more: readonly Keypair[] = [],
): Promise<void> {
  const builder = new TransactionBuilder(await server.getAccount(from.publicKey()), {
    fee: "100",
    networkPassphrase: network.networkPassphrase,
  });
  for (const operation of operations) builder.addOperation(operation);
  const transaction = builder.setTimeout(0).build();
  transaction.sign(from, ...more);
  expect((await server.sendTransaction(transaction)).status).toBe("PENDING");
  await close();
}

async function newAccount(startingBalance = "100"): Promise<Keypair> {
  const created = Keypair.random();
  const destination = created.publicKey();
  await execute(faucet, [Operation.createAccount({ destination, startingBalance })]);
  return created;
}

const named = (address: string, tag: string | null = null): Destination => ({
  address,
  addressType: null,
  tag,
});
const balanceOf = async (address: string): Promise<bigint> =>
  (await server.getAccountEntry(address)).balance;
const account = () => present(writer.account, "an account");

async function drafted(
  destination: Destination,
  units: bigint,
  { currency = coin, feeCeiling = 10_000n }: { currency?: CurrencyId; feeCeiling?: bigint } = {},
) {
  const sequence = await present(account().nextSequence, "sequences")(hot, signal);
  return await writer.draft(
    {
      payments: [{ destination, amount: { units, currency } }],
      funds: { kind: "account", address: hot, sequence },
      feeTarget: null,
      feeCeiling,
      replaces: null,
    },
    signal,
  );
}

function signed(draft: Draft, destination: Destination, units: bigint, currency = coin) {
  return signedAll(draft, [{ destination, amount: { units, currency } }]);
}

function signedAll(draft: Draft, payments: readonly Payment[]) {
  const locator = network.tokens["USDC-XLM"] ?? "";
  const intent: SpendIntent = {
    spendId: "1",
    chain: "XLM",
    feeCeiling: "10000",
    kind: "payout",
    payouts: payments.map(({ destination, amount: { currency, units } }, at) => ({
      payoutId: String(at + 1),
      chain: "XLM",
      address: destination.address,
      tag: destination.tag,
      currency,
      asset: currency === coin ? { kind: "coin" } : { kind: "token", locator },
      units: units.toString(),
      approval: "",
    })),
  };
  return inspectAndSign(draft, intent);
}

function inspectAndSign(draft: Draft, intent: SpendIntent) {
  const signer = createStellarDraftSigner({
    chain: "XLM",
    network: "main",
    passphrase: network.networkPassphrase,
    assets: [],
    channels: channelCount,
    coldAddress: null,
    clock: systemClock,
  });
  const { sender = hot, ...inspected } = signer.inspect(draft.body, intent, keys);
  expect(sender).toBe(hot);
  expect(inspected).toEqual({
    claims: draft.claims,
    feeUnits: draft.feeUnits,
    validity: draft.validity,
  });
  return signer.sign(draft.body, keys);
}

/** A payment that is drafted and signed, but not sent. */
async function prepare(destination: Destination, units: bigint, currency = coin) {
  const outcome = await drafted(destination, units, { currency });
  if (outcome.kind !== "draft") throw new Error(JSON.stringify(outcome.kind));
  return { draft: outcome.draft, ...signed(outcome.draft, destination, units, currency) };
}

/** Payments of one transaction, without memo, signed but not sent. */
async function prepareTogether(
  receivers: readonly (readonly [address: string, units: bigint])[],
  given?: { readonly sequence: bigint; readonly through: bigint },
) {
  const next = await present(account().nextSequence, "sequences")(hot, signal);
  const { sequence, through } = given ?? {
    sequence: next,
    through: next + BigInt(receivers.length) - 1n,
  };
  const payments = receivers.map(([address, units]) => ({
    destination: named(address),
    amount: { units, currency: coin },
  }));
  const numbers = Number(through - sequence) + 1;
  const [outcome] = await present(account().batching, "batches").draftEach(
    hot,
    [{ payments, feeTarget: null, numbers }],
    { timesHigh: 2n },
    signal,
  );
  if (outcome?.kind !== "draft") throw new Error(JSON.stringify(outcome?.kind));
  const draft = outcome.withSequence(sequence, through);
  return { sequence, draft, ...signedAll(draft, payments) };
}

describe("a payment of the hot account", () => {
  it("arrives with its memo, and costs what the network charges", async () => {
    const receiver = (await newAccount()).publicKey();
    const before = await balanceOf(hot);
    const { draft, raw, txid } = await prepare(named(receiver, "77"), 12n);
    expect(await writer.status(txid, draft, signal)).toEqual({ kind: "unknown" });
    expect(await writer.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    expect(await writer.broadcast(raw, signal)).toEqual({ kind: "alreadyKnown" });
    await close();
    expect(await writer.broadcast(raw, signal)).toEqual({ kind: "alreadyKnown" });
    const status = await writer.status(txid, draft, signal);
    const tip = await reader.tip(signal);
    expect(status).toEqual({
      kind: "mined",
      block: tip,
      txid,
      hasSucceeded: true,
      feeUnits: 100n,
    });
    expect(await balanceOf(hot)).toBe(before - 112n);
    const content = await reader.readBlock(tip, signal);
    expect(content?.transfers.map(({ to }) => to)).toEqual([`${receiver}:77`]);
  });

  it("creates the receiver's account if it does not exist", async () => {
    const stranger = Keypair.random().publicKey();
    expect(await account().receiver?.(named(stranger), coin, signal)).toEqual({
      kind: "needsActivation",
      minimumUnits: 10_000_000n,
    });
    expect((await drafted(named(stranger), 9_999_999n)).kind).toBe("impossible");
    const { raw } = await prepare(named(stranger, "5"), 10_000_000n);
    await writer.broadcast(raw, signal);
    await close();
    expect(await balanceOf(stranger)).toBe(10_000_000n);
  });

  it("moves a token along the receiver's trust line", async () => {
    const receiver = await newAccount();
    await execute(receiver, [Operation.changeTrust({ asset: testDollar() })]);
    const destination = named(receiver.publicKey());
    expect(await account().receiver?.(destination, token, signal)).toEqual({ kind: "ready" });
    const { raw } = await prepare(destination, 5n, token);
    expect(await writer.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await close();
    const { balanceEntry } = await server.getAssetBalance(receiver.publicKey(), testDollar());
    expect(balanceEntry?.amount).toBe("5");
  });

  it("is quoted, and costs more only above its ceiling", async () => {
    const receiver = named((await newAccount()).publicKey());
    const quoted = (units: bigint) =>
      writer.quote(
        {
          payment: { destination: receiver, amount: { units, currency: coin } },
          funds: { kind: "account", address: hot, sequence: null },
          balance: units,
        },
        signal,
      );
    expect(await quoted(1_000n)).toEqual({
      low: 100n,
      medium: 100n,
      high: 100n,
      dust: 0n,
      warning: null,
    });
    expect((await quoted(999n)).warning).toBe(1);
    expect(await drafted(receiver, 5n, { feeCeiling: 99n })).toEqual({
      kind: "tooExpensive",
      feeUnits: 100n,
    });
  });

  it("never spends the reserve", async () => {
    const receiver = named((await newAccount()).publicKey());
    const { latest, reserved } = await account().funds(hot, coin, 1, signal);
    // Two entries for the account, one for its trust line.
    expect(reserved).toBe(15_000_000n);
    const spendable = latest - reserved;
    expect(await drafted(receiver, spendable)).toEqual({
      kind: "insufficient",
      currency: coin,
      missing: 100n,
    });
    expect((await drafted(receiver, spendable - 100n)).kind).toBe("draft");
    const dollars = await account().funds(hot, token, 1, signal);
    expect(dollars.reserved).toBe(0n);
  });
});

describe("a receiver cannot be paid", () => {
  it("without a memo if it wants one (SEP-29)", async () => {
    const receiver = await newAccount();
    await execute(receiver, [Operation.manageData({ name: "config.memo_required", value: "1" })]);
    const state = (tag: string | null) =>
      account().receiver?.(named(receiver.publicKey(), tag), coin, signal);
    expect(await state(null)).toEqual({
      kind: "impossible",
      member: "tag",
      reason: "The receiver requires a memo.",
    });
    expect(await state("0")).toEqual({ kind: "ready" });
    expect((await drafted(named(receiver.publicKey()), 5n)).kind).toBe("impossible");
  });

  it("in a token without a trust line, without an account, or if it issues the token", async () => {
    const state = async (address: string) =>
      await account().receiver?.(named(address), token, signal);
    const impossible = (reason: RegExp) =>
      expect.objectContaining({
        kind: "impossible",
        member: "address",
        reason: expect.stringMatching(reason) as string,
      }) as unknown;
    expect(await state((await newAccount()).publicKey())).toEqual(impossible(/no trust line/));
    expect(await state(Keypair.random().publicKey())).toEqual(impossible(/does not exist/));
    expect(await state(testDollar().getIssuer() ?? "")).toEqual(impossible(/issues USDC-XLM/));
  });
});

describe("one of our transactions", () => {
  it("waits while another one of the account waits for a ledger", async () => {
    const receiver = named((await newAccount()).publicKey());
    const outcomes = await account().draftEach(
      hot,
      [6n, 7n].map((units) => ({
        payment: { destination: receiver, amount: { units, currency: coin } },
        feeTarget: null,
      })),
      { timesHigh: 2n },
      signal,
    );
    const next = await present(account().nextSequence, "sequences")(hot, signal);
    const [first, second] = outcomes.map((outcome, at) => {
      if (outcome.kind !== "draft") throw new Error(outcome.kind);
      return signed(outcome.withSequence(next + BigInt(at)), receiver, BigInt(6 + at)).raw;
    });
    const raws = [present(first, "the first"), present(second, "the second")];
    expect((await account().broadcastEach(raws, signal)).map(({ kind }) => kind)).toEqual([
      "accepted",
      "waits",
    ]);
    await close();
    expect((await account().broadcastEach(raws, signal)).map(({ kind }) => kind)).toEqual([
      "alreadyKnown",
      "accepted",
    ]);
    await close();
    expect(await balanceOf(receiver.address)).toBe(1_000_000_013n);
  });

  it("pays several receivers, and uses a sequence for each payment", async () => {
    const one = await newAccount();
    const stranger = Keypair.random().publicKey();
    const { sequence, raw, draft, txid } = await prepareTogether([
      [one.publicKey(), 5n],
      [stranger, 10_000_000n],
      [stranger, 6n],
    ]);
    expect(await writer.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await close();
    expect(await writer.status(txid, draft, signal)).toMatchObject({ hasSucceeded: true });
    // Four operations: one uses the sequences.
    expect(draft.feeUnits).toBe(400n);
    expect(await balanceOf(stranger)).toBe(10_000_006n);
    expect(await present(account().nextSequence, "sequences")(hot, signal)).toBe(sequence + 3n);
  });

  it("names the payments that the network refused, and leaves sequences for the others", async () => {
    const [one, other, third] = [await newAccount(), await newAccount(), await newAccount()];
    const receivers = [one, other, third].map((keys) => [keys.publicKey(), 5n] as const);
    const { sequence, raw, draft, txid } = await prepareTogether(receivers);
    await execute(other, [Operation.accountMerge({ destination: faucet.publicKey() })]);
    await writer.broadcast(raw, signal);
    await close();
    const status = await writer.status(txid, draft, signal);
    const payments = ["undone", "refused", "undone"];
    expect(status).toMatchObject({ kind: "mined", hasSucceeded: false, payments, feeUnits: 400n });
    const [receipt] = (await reader.receiptsIn([txid], await reader.tip(signal), signal)) ?? [];
    expect(receipt).toMatchObject({ hasSucceeded: false, payments });
    const rest = [receivers[0]!, receivers[2]!];
    const range = { sequence: sequence + 1n, through: sequence + 2n };
    const again = await prepareTogether(rest, range);
    await writer.broadcast(again.raw, signal);
    await close();
    expect(await writer.status(again.txid, again.draft, signal)).toMatchObject({
      hasSucceeded: true,
    });
    expect(await balanceOf(third.publicKey())).toBe(1_000_000_005n);
    expect(await present(account().nextSequence, "sequences")(hot, signal)).toBe(sequence + 3n);
  });

  it("that fails in a ledger moves nothing and costs its fee", async () => {
    const receiver = await newAccount();
    const { draft, raw, txid } = await prepare(named(receiver.publicKey()), 12n);
    await execute(receiver, [Operation.accountMerge({ destination: faucet.publicKey() })]);
    const before = await balanceOf(hot);
    await writer.broadcast(raw, signal);
    await close();
    expect(await writer.status(txid, draft, signal)).toMatchObject({
      kind: "mined",
      hasSucceeded: false,
      feeUnits: 100n,
    });
    expect(await balanceOf(hot)).toBe(before - 100n);
  });

  it("conflicts with another one that used its sequence, which is named", async () => {
    const receiver = await newAccount();
    const { draft, txid } = await prepare(named(receiver.publicKey()), 12n);
    await execute(hotKeys, [
      Operation.payment({ destination: receiver.publicKey(), asset: Asset.native(), amount: "1" }),
    ]);
    const status = await writer.status(txid, draft, signal);
    expect(status).toMatchObject({
      kind: "conflicted",
      block: { height: expect.any(Number) as number },
    });
    expect(status.kind === "conflicted" && status.by).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is ours inside the fee-bump transaction of someone else, and costs us nothing", async () => {
    const receiver = named((await newAccount()).publicKey());
    const sequence = await present(account().nextSequence, "sequences")(hot, signal);
    const inner = new TransactionBuilder(new Account(hot, String(sequence - 1n)), {
      fee: "100",
      networkPassphrase: network.networkPassphrase,
    })
      .addOperation(
        Operation.payment({ destination: receiver.address, asset: Asset.native(), amount: "1" }),
      )
      .setTimeout(0)
      .build();
    inner.sign(hotKeys);
    const bumped = TransactionBuilder.buildFeeBumpTransaction(
      faucet,
      "200",
      inner,
      network.networkPassphrase,
    );
    bumped.sign(faucet);
    expect((await server.sendTransaction(bumped)).status).toBe("PENDING");
    await close();
    const txid = Buffer.from(inner.hash()).toString("hex");
    const draft: Draft = {
      body: {},
      claims: [`${hot}#${sequence}`],
      feeUnits: 100n,
      validity: null,
    };
    expect(await writer.status(txid, draft, signal)).toMatchObject({
      kind: "mined",
      txid,
      hasSucceeded: true,
      feeUnits: 0n,
    });
  });

  it("that was never in a ledger is dead once one closed after its time", async () => {
    const receiver = named((await newAccount()).publicKey());
    const { draft, raw, txid } = await prepare(receiver, 12n);
    await command("/swallow-broadcasts", { count: 1 });
    expect(await writer.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await close(700);
    const tip = await reader.tip(signal);
    expect(draft.validity?.kind === "time" && tip.time > draft.validity.until).toBe(true);
    expect(await writer.isMissingUpTo?.(txid, draft, tip, signal)).toBe(true);
    expect(
      await writer.isMissingUpTo?.(txid, draft, { ...tip, hash: "ab".repeat(32) }, signal),
    ).toBe(false);
    expect(await writer.broadcast(raw, signal)).toMatchObject({
      kind: "rejected",
      reason: expect.stringContaining("txTooLate") as string,
    });
    expect(await writer.status(txid, draft, signal)).toEqual({ kind: "unknown" });
  });
});

describe("channels", () => {
  const { publicKey, chainCode } = keys.extendedEd25519At("m/1852'/148'/3'");
  const accountKey = bech32.encode(
    "acct_xvk",
    bech32.toWords(Uint8Array.from([...publicKey, ...chainCode])),
    false,
  );
  const channels = channelsOf(accountKey, channelCount);
  const [first, second] = channels as [Channel, Channel];
  const gap = { spendId: "1", chain: "XLM", feeCeiling: "10000", kind: "gap" } as const;
  let lending: ChainWriter;
  const lenders = () => present(lending.account?.lenders, "channels");

  beforeAll(() => {
    lending = createStellarWriter({ ...options, channels });
  });

  /** The transaction without payments that the pipeline makes when channels are missing. */
  async function make(feeCeiling: bigint): Promise<string> {
    const sequence = await present(account().nextSequence, "sequences")(hot, signal);
    const outcome = await lending.draft(
      {
        payments: [],
        funds: { kind: "account", address: hot, sequence },
        feeTarget: null,
        feeCeiling,
        replaces: null,
      },
      signal,
    );
    if (outcome.kind !== "draft") throw new Error(outcome.kind);
    const { raw, txid } = inspectAndSign(outcome.draft, gap);
    expect(await lending.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await close();
    expect((await lending.status(txid, outcome.draft, signal)).kind).toBe("mined");
    return txid;
  }

  /** Payments with one memo, with the next sequence of a channel. */
  async function prepareLent(
    { address: lender }: Channel,
    tag: string,
    payments: readonly (readonly [address: string, units: bigint])[],
  ) {
    const paid = payments.map(([address, units]) => ({
      destination: named(address, tag),
      amount: { units, currency: coin },
    }));
    const { accounts } = await lenders().list(signal);
    const { next } = present(
      accounts.find(({ address }) => address === lender),
      "a channel",
    );
    const [outcome] = await present(lending.account?.batching, "batches").draftEach(
      hot,
      [{ payments: paid, feeTarget: null }],
      { units: 10_000n },
      signal,
    );
    if (outcome?.kind !== "draft") throw new Error(outcome?.kind);
    const through = paid.length > 1 ? next + BigInt(paid.length) - 1n : undefined;
    const draft = outcome.withSequence(next, through, lender);
    return { draft, ...signedAll(draft, paid) };
  }

  it("are made without coin, as many at once as the fee's ceiling allows", async () => {
    const before = await account().funds(hot, coin, 1, signal);
    expect(await lenders().canBeMade(hot, signal)).toBe(true);
    expect((await lenders().list(signal)).accounts).toEqual([]);
    await make(1_000n);
    expect((await lenders().list(signal)).accounts).toHaveLength(3);
    await make(10_000n);
    expect((await lenders().list(signal)).accounts).toHaveLength(channelCount);
    expect(await lenders().canBeMade(hot, signal)).toBe(false);
    const after = await account().funds(hot, coin, 1, signal);
    // The money stays the account's own: it keeps 1 XLM for each channel, and paid 100 stroops for each of 15 operations.
    expect(after.reserved - before.reserved).toBe(BigInt(channelCount) * 10_000_000n);
    expect(before.latest - after.latest).toBe(1_500n);
    expect(await balanceOf(first.address)).toBe(0n);
  });

  it("pay different memos in one ledger, and the account bears the fees", async () => {
    const receiver = (await newAccount()).publicKey();
    const before = await account().funds(hot, coin, 1, signal);
    const prepared = [
      await prepareLent(first, "7", [[receiver, 10n]]),
      await prepareLent(second, "8", [
        [receiver, 20n],
        [receiver, 30n],
      ]),
    ];
    const raws = prepared.map(({ raw }) => raw);
    const send = () => present(lending.account, "an account").broadcastEach(raws, signal);
    expect(await send()).toEqual([{ kind: "accepted" }, { kind: "accepted" }]);
    expect(await send()).toEqual([{ kind: "alreadyKnown" }, { kind: "alreadyKnown" }]);
    await close();
    const tip = await reader.tip(signal);
    for (const { draft, txid } of prepared)
      expect(await lending.status(txid, draft, signal)).toMatchObject({
        kind: "mined",
        txid,
        hasSucceeded: true,
        feeUnits: draft.feeUnits,
        block: { hash: tip.hash },
      });
    const after = await account().funds(hot, coin, 1, signal);
    // Two operations and four, with the transactions around them.
    expect(before.latest - after.latest).toBe(60n + 600n);
    const content = present(await reader.readBlock(tip, signal), "the ledger");
    expect(content.transfers.map(({ to }) => to)).toEqual([
      `${receiver}:7`,
      `${receiver}:8`,
      `${receiver}:8`,
    ]);
    const ours = content.spends.transactionsFrom(new Set([hot]));
    expect(ours.map(({ txid, sender, feeUnits }) => ({ txid, sender, feeUnits }))).toEqual(
      prepared.map(({ txid, draft: { feeUnits } }) => ({ txid, sender: hot, feeUnits })),
    );
    // Each transaction is known by the number that it used.
    expect(ours.map(({ claims }) => claims[0])).toEqual(
      prepared.map(({ draft }) => draft.claims[0]),
    );
    expect(await send()).toEqual([{ kind: "alreadyKnown" }, { kind: "alreadyKnown" }]);
  });

  it("leave the numbers of a failed batch for what pays the others again", async () => {
    const receiver = await newAccount();
    const closing = await newAccount();
    const { draft, raw, txid } = await prepareLent(first, "9", [
      [receiver.publicKey(), 10n],
      [closing.publicKey(), 20n],
    ]);
    await execute(closing, [Operation.accountMerge({ destination: receiver.publicKey() })]);
    expect(await lending.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await close();
    const status = await lending.status(txid, draft, signal);
    expect(status).toMatchObject({
      kind: "mined",
      hasSucceeded: false,
      feeUnits: 400n,
      payments: ["undone", "refused"],
    });
    // What pays again has the second number, and can never be valid together with the first transaction.
    const again = await prepareLent(first, "9", [[receiver.publicKey(), 10n]]);
    expect(again.draft.claims).toEqual([draft.claims[1]]);
    expect(await lending.broadcast(again.raw, signal)).toEqual({ kind: "accepted" });
    await close();
    expect(await lending.status(again.txid, again.draft, signal)).toMatchObject({
      kind: "mined",
      hasSucceeded: true,
    });
    expect(await lending.broadcast(raw, signal)).toMatchObject({ kind: "alreadyKnown" });
  });

  it("prove that a lost transaction expired, and lend its number again", async () => {
    const receiver = (await newAccount()).publicKey();
    const lost = await prepareLent(second, "10", [[receiver, 10n]]);
    await command("/swallow-broadcasts", { count: 1 });
    expect(await lending.broadcast(lost.raw, signal)).toEqual({ kind: "accepted" });
    await close(validitySeconds + 1);
    const tip = await reader.tip(signal);
    expect(await lending.status(lost.txid, lost.draft, signal)).toEqual({ kind: "unknown" });
    expect(await present(lending.isMissingUpTo, "expiry")(lost.txid, lost.draft, tip, signal)).toBe(
      true,
    );
    const again = await prepareLent(second, "10", [[receiver, 10n]]);
    expect(again.draft.claims).toEqual(lost.draft.claims);
    expect(await lending.broadcast(again.raw, signal)).toEqual({ kind: "accepted" });
    await close();
    expect((await lending.status(lost.txid, lost.draft, signal)).kind).toBe("conflicted");
  });
});

describe("a node that keeps no ledgers of when a transaction was valid", () => {
  it("does not call it missing, also a long time after", async () => {
    const receiver = named((await newAccount()).publicKey());
    const { draft, raw, txid } = await prepare(receiver, 12n);
    expect(await writer.broadcast(raw, signal)).toEqual({ kind: "accepted" });
    await close();
    const { height } = await reader.tip(signal);
    await close(validitySeconds + 1);
    const isMissing = present(writer.isMissingUpTo, "expiry");
    expect(await isMissing(txid, draft, await reader.tip(signal), signal)).toBe(false);
    await command("/mine", { blocks: 800, seconds: 0 });
    await command("/forget", { before: height + 1 });
    const tip = await reader.tip(signal);
    expect(await isMissing(txid, draft, tip, signal)).toBe(false);
    expect(await isMissing("ab".repeat(32), draft, tip, signal)).toBe(false);
  });
});
