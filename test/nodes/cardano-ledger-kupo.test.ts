import csl from "@emurgo/cardano-serialization-lib-nodejs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { build, coinsOf, idOf } from "../support/build-cardano.ts";
import { type PrivateCardano, startPrivateCardano } from "../support/private-cardano.ts";

/* The simulated Kupo, by the OpenAPI document of Kupo 2.11. */

type Match = {
  readonly transaction_id: string;
  readonly output_index: number;
  readonly address: string;
  readonly value: { readonly coins: number | string };
  readonly created_at: { readonly slot_no: number; readonly header_hash: string };
};

let chain: PrivateCardano;
/** Two keys' addresses: alone, and with the second as stake. */
let alone: string;
let staking: string;
let keyHash: string;
let stakeHash: string;
let txids: readonly string[];
beforeAll(async () => {
  chain = await startPrivateCardano();
  const [key, stake] = [0, 1].map(() => csl.PrivateKey.generate_ed25519().to_public().hash());
  const payment = csl.Credential.from_keyhash(present(key, "a key"));
  const staked = csl.Credential.from_keyhash(present(stake, "a key"));
  alone = csl.EnterpriseAddress.new(0, payment).to_address().to_bech32();
  staking = csl.BaseAddress.new(0, payment, staked).to_address().to_bech32();
  [keyHash, stakeHash] = [present(key, "a key").to_hex(), present(stake, "a key").to_hex()];
  const sent: string[] = [];
  for (const address of [alone, staking, alone]) sent.push(await pay(address));
  txids = sent;
});
afterAll(async () => {
  await chain.stop();
});

async function pay(address: string): Promise<string> {
  const coins = await coinsOf(chain, chain.faucetAddress);
  const coin = present(
    coins.find(({ tokens = {} }) => Object.keys(tokens).length === 0),
    "a coin",
  );
  const raw = build({
    inputs: [coin],
    outputs: [[address, { lovelace: 2_000_000n }]],
    key: chain.faucet,
  });
  expect((await chain.submit(raw)).error).toBeUndefined();
  await chain.mine();
  return idOf(raw);
}

const matches = async (path: string): Promise<readonly Match[]> =>
  (await chain.kupo(`/matches/${path}`)).body as readonly Match[];
const idsOf = (found: readonly Match[]): readonly string[] =>
  found.map((one) => one.transaction_id);

describe("matches", () => {
  it("are found by address, by credential, by stake and by reference, the newest first", async () => {
    const [first = "", second = "", third = ""] = txids;
    expect(idsOf(await matches(alone))).toEqual([third, first]);
    expect(idsOf(await matches(`${keyHash}/*`))).toEqual([third, second, first]);
    expect(idsOf(await matches(`*/${stakeHash}`))).toEqual([second]);
    expect(idsOf(await matches(`0@${first}`))).toEqual([first]);
    expect(await matches(`*@${first}`)).toHaveLength(2);
    const account = csl.RewardAddress.new(
      0,
      csl.Credential.from_keyhash(csl.Ed25519KeyHash.from_hex(stakeHash)),
    );
    expect(idsOf(await matches(account.to_address().to_bech32()))).toEqual([second]);
    const hex = csl.Address.from_bech32(staking).to_hex();
    expect(idsOf(await matches(hex))).toEqual([second]);
  });

  it("are restricted to a range, both ends included, and ordered", async () => {
    const [, second] = await matches(`${keyHash}/*?order=oldest_first`);
    const { header_hash, slot_no } = present(second, "the second payment").created_at;
    const from = `created_after=${slot_no}`;
    expect(idsOf(await matches(`${keyHash}/*?${from}&order=oldest_first`))).toEqual(txids.slice(1));
    const point = `created_before=${slot_no}.${header_hash}`;
    expect(idsOf(await matches(`${keyHash}/*?${point}&order=oldest_first`))).toEqual(
      txids.slice(0, 2),
    );
    expect(
      (await chain.kupo(`/matches/*?created_after=${slot_no}.${"ab".repeat(32)}`)).status,
    ).toBe(400);
    expect((await chain.kupo("/matches/*?created_after=1&spent_after=1")).status).toBe(400);
  });

  it("have quantities as text for clients that want it", async () => {
    const response = await fetch(`${chain.cardano.kupoUrl}/matches/${alone}`, {
      headers: { accept: "application/json;asset-quantity=string" },
    });
    expect(await response.json()).toMatchObject([
      { value: { coins: "2000000" } },
      { value: { coins: "2000000" } },
    ]);
  });

  it.each(["what?", "*/*/*", "addr1xyz", "*?order=newest", "*?spent&unspent", "*?asset_name=00"])(
    "refuses %s",
    async (path) => {
      const { body, status } = await chain.kupo(`/matches/${path}`);
      expect([status, body]).toEqual([400, { hint: expect.any(String) as string }]);
    },
  );
});

describe("the index", () => {
  it("says in headers how far it is, and answers 304 to who knows that", async () => {
    const { id, slot } = (await chain.result("queryNetwork/tip")) as { id: string; slot: number };
    const url = `${chain.cardano.kupoUrl}/matches/${alone}`;
    const response = await fetch(url);
    expect(response.headers.get("x-most-recent-checkpoint")).toBe(String(slot));
    expect(response.headers.get("etag")).toBe(id);
    const again = await fetch(url, { headers: { "if-none-match": id } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("can be behind the node, and says so", async () => {
    const height = (await chain.result("queryNetwork/blockHeight")) as number;
    await chain.control("/lag-kupo", { blocks: 1 });
    expect(await matches(alone)).toHaveLength(1);
    const { body: points } = await chain.kupo("/checkpoints");
    expect(points).toHaveLength(height);
    const [newest] = points as { slot_no: number }[];
    const { body: health } = await chain.kupo("/health");
    expect(health).toMatchObject({ most_recent_checkpoint: newest?.slot_no });
    await chain.control("/lag-kupo", { blocks: 0 });
    expect(await matches(alone)).toHaveLength(2);
  });

  it("finds the block at a slot or before it, and only that one if strict", async () => {
    await chain.control("/mine", { slots: 50 });
    const { id, slot } = (await chain.result("queryNetwork/tip")) as { id: string; slot: number };
    expect((await chain.kupo(`/checkpoints/${slot + 9}`)).body).toEqual({
      slot_no: slot,
      header_hash: id,
    });
    expect((await chain.kupo(`/checkpoints/${slot - 1}?strict`)).body).toBe(null);
  });

  it("answers its health in text to clients that accept anything", async () => {
    const response = await fetch(`${chain.cardano.kupoUrl}/health`);
    expect(response.headers.get("content-type")).toContain("text/plain");
    expect(await response.text()).toContain("kupo_most_recent_checkpoint");
  });
});

describe("a deep fork", () => {
  it("of hundreds of blocks takes back what they had, and a restart keeps that", async () => {
    const txid = await pay(alone);
    await chain.control("/mine", { blocks: 400 });
    const answer = await chain.control("/reorg", { depth: 401, transactions: "wait" });
    expect(idsOf(await matches(alone))).not.toContain(txid);
    await chain.mine();
    expect(idsOf(await matches(alone))).toContain(txid);
    const refused = await chain.control("/reorg", { depth: 2_161 });
    expect(refused).toEqual({ error: expect.stringContaining("depth is an integer") as string });
    const { folder } = chain;
    const before = await matches("*?unspent");
    await chain.cardano.stop();
    chain = await startPrivateCardano({ folder });
    expect(await matches("*?unspent")).toEqual(before);
    const height = (await chain.result("queryNetwork/blockHeight")) as number;
    expect(height).toBe((answer["height"] as number) + 1);
  });
});
