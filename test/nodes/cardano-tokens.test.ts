import csl from "@emurgo/cardano-serialization-lib-nodejs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withheldUnits } from "../../src/chains/cardano/withheld-units.ts";
import type { ChangeTarget, DraftRequest, Coin as OwnCoin } from "../../src/chains/paying-port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { money } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { networkMagic } from "../../src/sandbox/cardano/genesis.ts";
import { createCardanoDraftSigner } from "../../src/signer/cardano/draft-signer.ts";
import { type Amount, build, type Coin, coinsOf, idOf, mintTo } from "../support/build-cardano.ts";
import { ada, openCardanoAdapter, testKeys } from "../support/cardano-site.ts";
import { startNodeGateway } from "../support/node-gateway.ts";
import {
  addressOfKey,
  type PrivateCardano,
  startPrivateCardano,
} from "../support/private-cardano.ts";

/*
 * Coins that lie with tokens are spent when others do not suffice, and no token is lost: the ledger would refuse it. Amounts too small for change, and
 * payments that expired.
 */

const { signal } = new AbortController();
const { accountKey, keys } = testKeys(3);
/** The faucet's test token, by policy and name. */
let token = { policy: "", name: "" };
let network: PrivateCardano;
let site: ReturnType<typeof openCardanoAdapter>;
const used = new Set<string>();

beforeAll(async () => {
  network = await startPrivateCardano();
  const rich = present(
    (await coinsOf(network, network.faucetAddress)).find(
      ({ tokens = {} }) => Object.keys(tokens).length > 0,
    ),
    "a coin with the test token",
  );
  const [policy = ""] = Object.keys(rich.tokens ?? {});
  const [name = ""] = Object.keys(rich.tokens?.[policy] ?? {});
  token = { policy, name };
  site = openCardanoAdapter({ accountKey, urls: [network.cardano.ogmiosUrl] });
});
afterAll(async () => {
  await site.node.close();
  await network.stop();
});

async function faucetCoin(withTokens: boolean): Promise<Coin> {
  const coins = await coinsOf(network, network.faucetAddress);
  const found = coins.find(
    ({ index, lovelace, tokens = {}, txid }) =>
      !used.has(`${txid}:${index}`) &&
      Object.keys(tokens).length > 0 === withTokens &&
      lovelace >= 500_000_000n,
  );
  const coin = present(found, "a coin of the faucet");
  used.add(`${coin.txid}:${coin.index}`);
  return coin;
}

const depositAt = (index: number): string => site.adapter.addressing.depositAt(index, null).address;
const changeTarget = (index: number): ChangeTarget => ({
  address: present(site.adapter.addressing.changeAt, "change addresses")(index).address,
  addressType: "",
  keyIndex: index,
});

/** Pays deposit address `index` these amounts; resolves with the coins that they became. */
async function receive(index: number, amounts: readonly Amount[]): Promise<readonly OwnCoin[]> {
  const withTokens = amounts.some(({ tokens }) => tokens !== undefined);
  const outputs = amounts.map((amount) => [depositAt(index), amount] as const);
  const raw = build({ inputs: [await faucetCoin(withTokens)], outputs, key: network.faucet });
  const { error } = await network.submit(raw);
  if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
  await network.mine();
  return amounts.map(({ lovelace }, at) => ({ ...coinAt(idOf(raw), index, at), units: lovelace }));
}

const coinAt = (txid: string, keyIndex: number, at = 0) => ({
  claim: `${txid}:${at}`,
  addressType: "",
  branch: 0 as const,
  keyIndex,
});

const bundle = (lovelace: bigint, quantity: bigint): Amount => ({
  lovelace,
  tokens: { [token.policy]: { [token.name]: quantity } },
});

function requestOf(
  coins: readonly OwnCoin[],
  units: bigint | null,
  receiver: string,
  change: number,
): DraftRequest {
  const payment = {
    destination: { address: receiver, addressType: null, tag: null },
    amount: money(units ?? 0n, ada),
  };
  return {
    payments: units === null ? [] : [payment],
    funds: { kind: "coins", coins, change: changeTarget(change) },
    feeTarget: null,
    feeCeiling: 2_000_000n,
    replaces: null,
  };
}

const writer = () => present(site.adapter.writer, "a writer");
const newAddress = () => addressOfKey(csl.PrivateKey.generate_ed25519());

/** Drafts, signs, sends and mines it; resolves with the draft and the transaction's id. */
async function spend(request: DraftRequest) {
  const outcome = await writer().draft(request, signal);
  if (outcome.kind !== "draft")
    throw new Error(
      `it is ${JSON.stringify(outcome, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value))}`,
    );
  const signer = createCardanoDraftSigner({
    chain: "ADA",
    network: { keys: "test", magic: networkMagic, slotZero: null, unitsMax: "45000000000000000" },
    coldAddress: null,
    clock: systemClock,
  });
  const { raw, txid } = signer.sign(outcome.draft.body, keys);
  expect(await writer().broadcast(raw, signal)).toEqual({ kind: "accepted" });
  await network.mine();
  return { draft: outcome.draft, txid };
}

describe("a bundle at a deposit", () => {
  it("is its ada and each of its tokens, at different positions", async () => {
    const [coin] = await receive(1, [bundle(3_000_000n, 70n)]);
    const tip = await site.adapter.reader.tip(signal);
    const content = await site.adapter.reader.readBlock(tip, signal);
    const [txid] = (coin?.claim ?? "").split(":");
    const transfers = content?.transfers.filter(
      ({ key, to }) => key.txid === txid && to === depositAt(1),
    );
    expect(transfers).toEqual([
      {
        key: { txid, index: 0 },
        to: depositAt(1),
        asset: { kind: "currency", amount: money(3_000_000n, ada) },
        spendableFromHeight: null,
        withheldUnits: withheldUnits({
          units: 3_000_000n,
          assets: [{ asset: `${token.policy}.${token.name}`, units: 70n }],
        }),
      },
      {
        key: { txid, index: 1_000_000 },
        to: depositAt(1),
        asset: { kind: "unlisted", locator: `${token.policy}.${token.name}`, units: 70n },
        spendableFromHeight: null,
      },
    ]);
  });

  it("is left alone while other coins suffice", async () => {
    const [withTokens, alone] = await receive(2, [
      bundle(20_000_000n, 5n),
      { lovelace: 9_000_000n },
    ]);
    const request = requestOf(
      [present(withTokens, "it"), present(alone, "it")],
      4_000_000n,
      newAddress(),
      1,
    );
    const { draft } = await spend(request);
    expect(draft.claims).toEqual([alone?.claim]);
  });

  it("is spent when they do not suffice, and its tokens come back with the change", async () => {
    const coins = await receive(3, [
      bundle(6_000_000n, 11n),
      bundle(5_000_000n, 31n),
      { lovelace: 2_000_000n },
    ]);
    const receiver = newAddress();
    const { draft, txid } = await spend(requestOf(coins, 9_000_000n, receiver, 2));
    expect(draft.claims.length).toBeGreaterThan(1);
    const [paid] = await coinsOf(network, receiver);
    expect([paid?.lovelace, paid?.tokens]).toEqual([9_000_000n, {}]);
    const change = await coinsOf(network, changeTarget(2).address);
    const spent = coins.filter(({ claim }) => draft.claims.includes(claim));
    const taken = spent.reduce((sum, { units }) => sum + units, 0n);
    expect(change.reduce((sum, { lovelace }) => sum + lovelace, 0n)).toBe(
      taken - 9_000_000n - draft.feeUnits,
    );
    const returned = change.map(({ tokens }) => tokens?.[token.policy]?.[token.name] ?? 0n);
    const sent = spent.map(({ claim }) => [11n, 31n, 0n][Number(claim.split(":")[1])] ?? 0n);
    expect(returned.reduce((sum, one) => sum + one, 0n)).toBe(
      sent.reduce((sum, one) => sum + one, 0n),
    );
    expect(
      writer()
        .changeOf?.(txid, draft)
        .map(({ claim }) => claim)
        .sort(),
    ).toEqual(change.map(({ index, txid: id }) => `${id}:${index}`).sort());
  });

  it("is merged with other coins", async () => {
    const coins = await receive(4, [
      bundle(3_000_000n, 2n),
      bundle(4_000_000n, 3n),
      { lovelace: 5_000_000n },
    ]);
    const { draft } = await spend(requestOf(coins, null, newAddress(), 3));
    expect(draft.claims.length).toBe(3);
    const left = await coinsOf(network, changeTarget(3).address);
    const kept = left.find(({ tokens = {} }) => Object.keys(tokens).length > 0);
    expect(kept?.tokens).toEqual({ [token.policy]: { [token.name]: 5n } });
    expect(left).toHaveLength(2);
    expect(left.reduce((sum, { lovelace }) => sum + lovelace, 0n)).toBe(
      12_000_000n - draft.feeUnits,
    );
  });

  it("keeps no more than was withheld, also where bundles need an output each", async () => {
    const names = Array.from({ length: 139 }, (_, at) => at.toString(16).padStart(64, "0"));
    const coins: OwnCoin[] = [];
    let withheld = 0n;
    for (const part of ["0a", "0b"]) {
      const all = names.map((name) => part + name.slice(2));
      const { policy, raw } = mintTo(
        await faucetCoin(false),
        network.faucet,
        depositAt(11),
        500_000_000n,
        all,
      );
      expect((await network.submit(raw)).error).toBeUndefined();
      await network.mine();
      const assets = all.map((name) => ({ asset: `${policy}.${name}`, units: 1n }));
      withheld += withheldUnits({ units: 500_000_000n, assets });
      coins.push({ ...coinAt(idOf(raw), 11), units: 500_000_000n });
    }
    expect(withheld).toBeGreaterThan(40_000_000n);
    const receiver = newAddress();
    // All that was credited, less a fee and the least amount of other change.
    const { draft } = await spend(
      requestOf(coins, 1_000_000_000n - withheld - 2_000_000n, receiver, 10),
    );
    expect(draft.claims).toHaveLength(2);
    const left = await coinsOf(network, changeTarget(10).address);
    const kept = left.filter(({ tokens = {} }) => Object.keys(tokens).length > 0);
    expect(kept).toHaveLength(2);
    expect(kept.reduce((sum, { lovelace }) => sum + lovelace, 0n)).toBe(withheld);
  });
});

describe("a payment that leaves too little", () => {
  it("takes another coin for change", async () => {
    const coins = await receive(5, [{ lovelace: 5_000_000n }, { lovelace: 3_000_000n }]);
    const { draft } = await spend(requestOf(coins, 4_500_000n, newAddress(), 4));
    expect(draft.claims.length).toBe(2);
    expect(draft.feeUnits).toBeLessThan(300_000n);
  });

  it("gives the rest away if there is none, up to the ceiling", async () => {
    const coins = await receive(6, [{ lovelace: 5_000_000n }]);
    const request = requestOf(coins, 4_500_000n, newAddress(), 5);
    const { draft } = await spend(request);
    expect(draft.feeUnits).toBe(500_000n);
    const poor = await receive(7, [{ lovelace: 5_000_000n }]);
    const outcome = await writer().draft(
      { ...requestOf(poor, 4_500_000n, newAddress(), 6), feeCeiling: 400_000n },
      signal,
    );
    expect(outcome.kind).toBe("insufficient");
  });

  it("is impossible below what an output must hold, and insufficient without coins", async () => {
    const coins = await receive(8, [{ lovelace: 5_000_000n }]);
    expect((await writer().draft(requestOf(coins, 850_000n, newAddress(), 7), signal)).kind).toBe(
      "impossible",
    );
    const outcome = await writer().draft(requestOf(coins, 50_000_000n, newAddress(), 7), signal);
    if (outcome.kind !== "insufficient") throw new Error(`it is ${outcome.kind}`);
    expect(outcome.missing).toBeGreaterThan(45_000_000n);
    expect(outcome.missing).toBeLessThan(47_000_000n);
  });
});

describe("an expired payment", () => {
  it("is replaced by one with the same coins, and not before", async () => {
    const coins = await receive(9, [{ lovelace: 8_000_000n }]);
    const receiver = newAddress();
    const request = requestOf(coins, 3_000_000n, receiver, 8);
    const first = await writer().draft(request, signal);
    if (first.kind !== "draft") throw new Error(`it is ${first.kind}`);
    const again = {
      ...request,
      replaces: first.draft,
      funds: { ...request.funds, coins: [] },
    } as DraftRequest;
    expect((await writer().draft(again, signal)).kind).toBe("impossible");
    await network.control("/mine", { blocks: 1, slots: 7_300 });
    const { draft } = await spend(again);
    expect(draft.claims).toEqual(first.draft.claims);
    expect((await coinsOf(network, receiver)).map(({ lovelace }) => lovelace)).toEqual([
      3_000_000n,
    ]);
  });

  it("that was mined is not missing, even if Kupo left it out and a long time has passed", async () => {
    const gateway = await startNodeGateway(network.cardano.ogmiosUrl);
    const none = { status: 200, body: Buffer.from("[]") };
    gateway.alter = (path, answer) => (path.includes("/matches/") ? none : answer);
    const pruned = openCardanoAdapter({ accountKey, urls: [gateway.url] });
    const isMissing = present(pruned.adapter.writer?.isMissingUpTo, "a method");
    const coins = await receive(10, [{ lovelace: 8_000_000n }]);
    const { draft, txid } = await spend(requestOf(coins, 3_000_000n, newAddress(), 9));
    for (const slots of [7_300, 21_600]) {
      await network.control("/mine", { blocks: 1, slots });
      await network.mine(2);
      const tip = await pruned.adapter.reader.tip(signal);
      expect(await isMissing(txid, draft, tip, signal)).toBe(false);
      expect(await isMissing("ab".repeat(32), draft, tip, signal)).toBe(true);
    }
    await pruned.node.close();
    await gateway.close();
  });
});
