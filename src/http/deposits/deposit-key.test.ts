import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { newDeposit } from "../../../test/support/deposit-api.ts";
import { arrangeWallet, ownerOf, type Wallet } from "../../../test/support/deposit-world.ts";
import { useDepositCreation } from "../../../test/support/use-deposit-creation.ts";
import { deleteOldCreationKeys } from "../../deposits/create/creation-key.store.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";

/*
 * The idempotency key of `POST /deposit/` with the real server and database: a client that lost the response repeats the request
 * and gets the same deposit.
 */

const { database, world, api, wallets, counts } = useDepositCreation();
let wallet: Wallet;
beforeEach(() => {
  wallet = wallets.enterprise;
});

const post = (
  key: string,
  { attributes = {}, from = wallet }: { attributes?: JsonObject; from?: Wallet } = {},
) =>
  api.ask("POST", "/deposit/", {
    as: ownerOf(from.accountId),
    headers: { "content-type": "application/vnd.api+json", "idempotency-key": key },
    body: newDeposit(from.walletId, attributes),
  });

const created = async () => {
  const { deposits, issued } = (await counts()) as { deposits: string; issued: string };
  return { deposits: Number(deposits), issued: Number(issued) };
};

describe("the idempotency key of a deposit", () => {
  it("returns the first deposit with 200 when key and body are repeated", async () => {
    const key = randomUUID();
    const attributes = { tracking_id: "order 1", label: "A" };
    const first = await post(key, { attributes });
    const before = await counts();
    const again = await post(key.toUpperCase(), {
      attributes: { label: "A", tracking_id: "order 1" },
    });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.one).toEqual(first.one);
    expect(again.headers["location"]).toBeUndefined();
    expect(await counts()).toEqual(before);
  });

  it("returns the first deposit even if its wallet no longer takes deposits", async () => {
    const key = randomUUID();
    const first = await post(key);
    await database.sql("update wallet set status = 1 where id = $1", [wallet.walletId]);
    const again = await post(key);
    expect([again.status, again.one.id]).toEqual([200, first.one.id]);
  });

  it("is ignored with another body", async () => {
    const key = randomUUID();
    const first = await post(key, { attributes: { label: "A" } });
    const other = await post(key, { attributes: { label: "B" } });
    const repeated = await post(key, { attributes: { label: "A" } });
    expect([first.status, other.status, repeated.status]).toEqual([201, 201, 200]);
    expect(other.one.id).not.toBe(first.one.id);
    expect(repeated.one.id).toBe(first.one.id);
  });

  it("belongs to one account", async () => {
    const key = randomUUID();
    const stranger = await arrangeWallet(world);
    const first = await post(key);
    const other = await post(key, { from: stranger });
    expect([other.status, other.one.id === first.one.id]).toEqual([201, false]);
  });

  it("is not consumed by a rejected request", async () => {
    const key = randomUUID();
    expect((await post(key, { attributes: { label: "x".repeat(33) } })).status).toBe(400);
    expect((await post(key)).status).toBe(201);
  });

  it.each(["", "order-1", "00000000-0000-1000-8000-000000000000"])(
    "is ignored when malformed: %j",
    async (key) => {
      const [first, second] = [await post(key), await post(key)];
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.one.id).not.toBe(first.one.id);
    },
  );

  it("creates one deposit and takes one address for concurrent requests", async () => {
    const key = randomUUID();
    const before = await created();
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(key)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array.from({ length: 11 }, () => 200),
      201,
    ]);
    expect(new Set(answers.map(({ one }) => one.id)).size).toBe(1);
    expect(await created()).toEqual({ deposits: before.deposits + 1, issued: before.issued + 1 });
  });

  it("creates the deposits of other keys in the same batch", async () => {
    const keys = Array.from({ length: 6 }, () => randomUUID());
    const answers = await Promise.all([...keys, ...keys].map((key) => post(key)));
    expect(new Set(answers.map(({ one }) => one.id)).size).toBe(6);
    expect(new Set(answers.map(({ one }) => one.attributes["address"])).size).toBe(6);
  });

  it("expires after 24 hours", async () => {
    const key = randomUUID();
    const first = await post(key);
    world.clock.advance(24 * 3600 - 1);
    expect((await post(key)).status).toBe(200);
    await deleteOldCreationKeys(database.db, world.clock.now());
    expect((await post(key)).status).toBe(200);
    world.clock.advance(1);
    const second = await post(key);
    expect([second.status, second.one.id === first.one.id]).toEqual([201, false]);
    expect((await post(key)).one.id).toBe(second.one.id);
    world.clock.advance(24 * 3600);
    await deleteOldCreationKeys(database.db, world.clock.now());
    expect(await database.sql("select from deposit_key where key = $1", [key])).toEqual([]);
  });
});
