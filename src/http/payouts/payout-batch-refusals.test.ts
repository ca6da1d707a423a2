import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { batchContext } from "../../../test/support/batch-context.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeWallet,
  depositWorld,
  ownerOf,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { fund, payee, payoutWorld, postPayout } from "../../../test/support/payout-world.ts";
import type { Principal } from "../../accounts/principal.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { payoutBatchRoutes } from "./payout-batch.ts";

/* Batches that are refused as a whole over the real server and database: for their wallet, a pause or their idempotency key. */

const database = useDatabase();
const world = depositWorld(database);
const payouts = payoutWorld(world);
const context = batchContext(world, payouts);
let onFacts: (() => Promise<unknown>) | null = null;
const api = apiServer(
  payoutBatchRoutes({
    ...context,
    readFacts: async (question) => {
      const facts = await context.readFacts(question);
      await onFacts?.();
      return facts;
    },
  }),
  { clock: world.clock },
);
let wallet: Wallet;
let owner: Principal;
beforeEach(async () => {
  wallet = await arrangeWallet(world);
  await fund(world, wallet, "10");
  owner = ownerOf(wallet.accountId);
});

const fileOf = (...amounts: readonly string[]) =>
  `address,amount,first_name,last_name,street\n${amounts.map((amount) => `${payee},${amount},Jo,Doe,Some Street 1\n`).join("")}`;

type Sending = {
  readonly csv?: string;
  readonly reference?: string;
  readonly as?: Principal;
  readonly key?: string;
  readonly more?: JsonObject;
};

function create({ csv = fileOf("0.1", "0.2"), reference = "May", as, key, more }: Sending = {}) {
  return api.ask("POST", "/payout-batch/", {
    as: as ?? owner,
    headers: { "idempotency-key": key },
    body: {
      data: {
        type: "payout-batch",
        attributes: { csv, reference, fees_max: "0.0001", ...more },
        relationships: {
          wallet: { data: { type: "wallet", id: wallet.walletId } },
          currency: { data: { type: "currency", id: "1002" } },
        },
      },
    },
  });
}

const stored = async () => ({
  batches: (
    await database.sql("select from payout_batch where account_id = $1", [wallet.accountId])
  ).length,
  payouts: (await database.sql("select from payout where account_id = $1", [wallet.accountId]))
    .length,
});
const nothing = { batches: 0, payouts: 0 };
const set = (columns: string) =>
  database.sql(`update wallet set ${columns} where id = $1`, [wallet.walletId]);

describe("a batch is refused as a whole", () => {
  it("while its wallet is paused, also by the wallet's own kill switch", async () => {
    await set("payouts_blocked = true, payouts_blocked_reason = 'a drill'");
    const refused = await create();
    expect([refused.status, refused.errors]).toMatchObject([
      403,
      [
        {
          code: "3019",
          detail: "Payouts from this wallet are paused: kill switch (a drill).",
          source: { pointer: "/data/relationships/wallet" },
        },
      ],
    ]);
    expect(await stored()).toEqual(nothing);
    // Its faulty rows come first, and do not repeat the pause.
    const faulty = await create({ csv: fileOf("0.1", "-1") });
    expect(faulty.errors.map(({ code, detail }) => [code, detail.split(":")[0]])).toEqual([
      ["1007", "Row 3, amount"],
    ]);
  });

  it.each([
    [
      "the chain's kill switch",
      "insert into payout_stop values ('chain/ETH', false, 'test', now())",
    ],
    ["reconciliation", "insert into payout_stop values ('chain/ETH', true, 'test', now())"],
    [
      "the node",
      "insert into chain_cursor (chain, network, updated_at) values ('ETH', 'regtest', now())",
    ],
  ])("while payouts are paused by %s", async (_cause, pause) => {
    await database.sql(pause);
    const refused = await create();
    await database.sql("delete from payout_stop");
    await database.sql("delete from chain_cursor");
    expect(faults(refused)).toEqual(["403", "3019"]);
    expect(refused.errors[0]?.detail).toMatch(/^Payouts of ETH are paused: /);
    expect(await stored()).toEqual(nothing);
    expect((await create()).status).toBe(201);
  });

  it("while payouts are paused, also if a person gives the pause another reason now", async () => {
    await database.sql("insert into payout_stop values ('chain/ETH', false, 'test', now())");
    onFacts = () => database.sql("update payout_stop set reason = 'a drill'");
    const refused = await create();
    onFacts = null;
    await database.sql("delete from payout_stop");
    expect(faults(refused)).toEqual(["403", "3019"]);
  });

  it("while payouts are paused, also if that begins while it is checked", async () => {
    onFacts = () =>
      database.sql(
        "insert into payout_stop values ('chain/ETH', false, 'test', now()) on conflict do nothing",
      );
    const refused = await create();
    onFacts = null;
    await database.sql("delete from payout_stop");
    expect(refused.status).toBe(400);
    expect(refused.errors[0]?.detail).toContain("Row 2: Payouts of ETH are paused");
    expect(await stored()).toEqual(nothing);
  });

  it("if its wallet pays nothing out, which its preview says too", async () => {
    await set(`type = ${walletType.custody}`);
    const refused = ["400", "3022 /data/relationships/wallet"];
    expect(faults(await create())).toEqual(refused);
    const preview = await api.ask("POST", "/payout-batch/preview/", {
      as: owner,
      body: {
        data: {
          type: "payout-batch-preview",
          attributes: { csv: fileOf("0.1") },
          relationships: {
            wallet: { data: { type: "wallet", id: wallet.walletId } },
            currency: { data: { type: "currency", id: "1002" } },
          },
        },
      },
    });
    expect(faults(preview)).toEqual(refused);
    await set(`type = ${walletType.enterprise}, status = 1`);
    expect(faults(await create())).toEqual(["400", "3008 /data/relationships/wallet"]);
    expect(await stored()).toEqual(nothing);
  });

  it("if the caller may only view the wallet, or not even that", async () => {
    const viewing = { ...owner, wallets: new Map([[wallet.walletId, { mayPay: false }]]) };
    expect(faults(await create({ as: viewing }))).toEqual([
      "400",
      "4002 /data/relationships/wallet",
    ]);
    const hiding = { ...owner, wallets: new Map() };
    const hidden = await create({ as: hiding });
    expect(faults(hidden)).toEqual(["400", "4002 /data/relationships/wallet"]);
    expect(hidden.errors[0]?.detail).toBe(
      "You don't have access to this wallet, so you can't pay from it.",
    );
    await set(`type = ${walletType.custody}, status = 1, payouts_blocked = true`);
    expect((await create({ as: hiding })).errors[0]?.detail).toBe(hidden.errors[0]?.detail);
    expect(await stored()).toEqual(nothing);
  });

  it("if the account has no such wallet, whatever was granted to the caller", async () => {
    const stranger = await arrangeWallet(world);
    for (const walletId of [stranger.walletId, "99999999", "mine"])
      for (const as of [owner, { ...owner, wallets: new Map() }]) {
        wallet = { ...wallet, walletId };
        const missing = await create({ as });
        expect(faults(missing)).toEqual(["400", "1007 /data/relationships/wallet"]);
        expect(missing.errors[0]?.detail).toBe("There is no such wallet.");
      }
    expect(await stored()).toEqual(nothing);
  });
});

describe("the idempotency key of a batch", () => {
  const used = ["409", "1004 idempotency-key"];

  it("is used by the first batch for ever, also for another file or a payout", async () => {
    const key = systemRandom.uuid();
    const first = await create({ key });
    expect(first.status, first.text).toBe(201);
    const again = await create({ key: key.toUpperCase() });
    expect(faults(again)).toEqual(used);
    expect(again.errors[0]).toMatchObject({ meta: { payout_batch_id: first.one.id } });
    // Before any check of values.
    for (const more of [
      { reference: "June" },
      { csv: fileOf("-1") },
      { more: { fees_max: "x" } },
    ]) {
      const other = await create({ key, ...more });
      expect(faults(other)).toEqual(used);
      expect(other.errors[0]).not.toHaveProperty("meta");
    }
    expect(faults(await postPayout(payouts, wallet, { key }))).toEqual(used);
    expect(await stored()).toEqual({ batches: 1, payouts: 2 });
  });

  it("is refused if a payout used it", async () => {
    const key = systemRandom.uuid();
    expect((await postPayout(payouts, wallet, { key })).status).toBe(201);
    expect(faults(await create({ key }))).toEqual(used);
    expect(await stored()).toEqual({ batches: 0, payouts: 1 });
  });

  it("stays unused by a request that is refused, and by one of another account", async () => {
    const key = systemRandom.uuid();
    expect((await create({ key, csv: fileOf("11") })).status).toBe(400);
    expect((await create({ key })).status).toBe(201);
    wallet = await arrangeWallet(world);
    await fund(world, wallet, "10");
    expect((await create({ key, as: ownerOf(wallet.accountId) })).status).toBe(201);
  });

  it("stays unused if another request has just stored other rows under the reference", async () => {
    const both = Promise.withResolvers<null>();
    let arrived = 0;
    // Both have looked the reference up before one stores it.
    onFacts = async () => {
      arrived += 1;
      if (arrived === 2) both.resolve(null);
      await both.promise;
    };
    const requests = [fileOf("0.1"), fileOf("0.2")].map((csv) => ({
      csv,
      key: systemRandom.uuid(),
    }));
    const answers = await Promise.all(requests.map((request) => create(request)));
    onFacts = null;
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    const refused = answers.findIndex(({ status }) => status === 400);
    expect(faults(answers[refused]!)).toEqual(["400", "1007 /data/attributes/reference"]);
    expect((await create({ ...requests[refused]!, reference: "June" })).status).toBe(201);
    expect(await stored()).toEqual({ batches: 2, payouts: 2 });
  });

  it("lets one of two concurrent requests create its batch", async () => {
    const key = systemRandom.uuid();
    const answers = await Promise.all([
      create({ key, reference: "May" }),
      create({ key, reference: "June" }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await stored()).toEqual({ batches: 1, payouts: 2 });
  });

  it("may be missing, but not malformed; a batch is continued without one or with a new one", async () => {
    const malformed = await create({ key: "may-2026", more: { csv: 7 } });
    expect(faults(malformed)).toEqual(["400", "1007 idempotency-key"]);
    expect(await stored()).toEqual(nothing);
    const { id } = (await create()).one;
    const key = systemRandom.uuid();
    for (const answer of [await create(), await create({ key })])
      expect([answer.status, answer.one.id]).toEqual([201, id]);
    expect(faults(await create({ key }))).toEqual(used);
    expect(await stored()).toEqual({ batches: 1, payouts: 2 });
  });
});
