/* What operators, other accounts and each role see of the deployment, over HTTP. */
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { arrangeTwoTenants, type TwoTenants } from "../../../test/support/two-tenants.ts";
import { databaseDigest, describeResponse, useWholeApi } from "../../../test/support/whole-api.ts";
import { newPayout, postPayout } from "../../../test/support/whole-payouts.ts";
import { isReadingStopped } from "../../payouts/controls/pause.store.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

const database = useDatabase();
const api = useWholeApi(database, {
  payouts: { hot_ceilings: { ETH: "5" }, stuck_after_seconds: 600 },
});

let tenants: TwoTenants;

beforeAll(async () => {
  tenants = await arrangeTwoTenants(api);
  const now = formatTimestamp(api.clock.now());
  await database.sql(
    `insert into scanned_range values ('ETH', 0, 50, $1, $1), ('ETH', 60, 99, $1, $1)
     on conflict do nothing`,
    [now],
  );
  await database.sql(
    `insert into reconciliation (chain, currency, height, ledger_units, chain_units, checked_at, differs_since)
     values ('ETH', '1002', 99, 1500000000000000000, 1400000000000000000, $1, $1)`,
    [now],
  );
  await database.sql(
    `with made as (
       insert into spend (chain, kind, state, fee_currency, confirmations, created_at, updated_at)
       values ('ETH', 'sweep', 'open', '1002', 12, $1::timestamptz - interval '1 hour', $1) returning id)
     insert into spend_attempt (spend_id, number, chain, state, draft, fee_units, txid, raw, broadcasts, created_at, updated_at)
     select id, 1, 'ETH', 'broadcast', '{"body":{},"claims":[]}', 21000000000000, '0xab', '\\x00', 3, $1, $1 from made`,
    [now],
  );
});

const get = (path: string, as: string) => api.ask({ method: "GET", path, as });
const turn = (as: string, attributes: JsonObject, wallet?: string) =>
  api.ask({
    method: "POST",
    path: "/kill-switch/",
    as,
    body: {
      data: {
        type: "kill-switch",
        attributes,
        relationships:
          wallet === undefined ? {} : { wallet: { data: { type: "wallet", id: wallet } } },
      },
    },
  });
const release = (as: string, id: string) =>
  api.ask({ method: "POST", path: `/kill-switch/${id}/release/`, as });
const pay = (as: string, wallet: string) => postPayout(api, as, newPayout(wallet));

const operatorsOnly = [
  "/hot-wallet/",
  "/spend/",
  "/payout-queue/",
  "/reconciliation/",
  "/position/",
  "/unexplained-spend/",
  "/chain/ETH/scanned-range/",
];

describe("the operations API", () => {
  it("is open to the deployment's first account, not to the second", async () => {
    const rows = await database.sql<{ id: string }>(
      "select id from account where is_operator order by id",
    );
    expect(rows).toEqual([{ id: tenants.shop.accountId }]);
  });

  it("has no simulator outside the sandbox", async () => {
    for (const path of ["/simulator/receiver/", "/simulator/action/", "/simulator/delivery/"])
      expect([path, (await get(path, tenants.shop.token)).status]).toEqual([path, 404]);
    expect(Object.keys(api.description()["paths"] as JsonObject).join()).not.toContain("simulator");
  });

  describe("chains", () => {
    it("show every member to operators and only the public ones to others", async () => {
      const full = await get("/chain/", tenants.shop.token);
      expect(full.resources.map(({ id }) => id)).toEqual(["BTC", "ETH"]);
      const ether = full.resources.find(({ id }) => id === "ETH")!;
      expect(ether.attributes).toMatchObject({
        name: "Ethereum",
        network: "regtest",
        is_simulated: true,
        is_paused: false,
        reorg_limit: 128,
        blocks_per_second: expect.any(Number) as unknown,
      });
      const { one } = await get("/chain/ETH/", tenants.stranger.token);
      const { name, is_up, height, lag_blocks, block_time, ...rest } = one.attributes;
      expect({ name, is_up, height, lag_blocks, block_time }).toMatchObject({
        name: "Ethereum",
        height: ether.attributes["height"],
      });
      expect(Object.values(rest).filter((value) => value !== null)).toEqual([]);
      expect((await get("/chain/DOGE/", tenants.shop.token)).status).toBe(404);
    });

    it("show the heights that were read, and the gap", async () => {
      const { resources } = await get(
        "/chain/ETH/scanned-range/?sort=from_height",
        tenants.shop.token,
      );
      expect(resources.map(({ id, attributes }) => [id, attributes["to_height"]])).toContainEqual([
        "60",
        99,
      ]);
      expect((await get("/chain/NONE/scanned-range/", tenants.shop.token)).status).toBe(404);
    });
  });

  it("refuses deployment-wide resources to other accounts and to roles that do not administer", async () => {
    const { admin, withdrawals, withdrawals_with_approval, read_only } = tenants.roles;
    for (const path of operatorsOnly) {
      for (const { token } of [tenants.shop, admin])
        expect([path, (await get(path, token)).status]).toEqual([path, 200]);
      for (const { token } of [
        ...[tenants.stranger, tenants.clerk],
        ...[withdrawals, withdrawals_with_approval, read_only],
      ])
        expect([path, describeResponse(await get(path, token))]).toEqual([
          path,
          "403 permission_denied",
        ]);
    }
  });

  it("shows hot funds with their ceiling and the demand for them", async () => {
    const { resources } = await get("/hot-wallet/?include=currency", tenants.shop.token);
    const ids = resources.map(({ id }) => id);
    expect(ids).toContain("BTC-coins-1000");
    expect(ids).toContain("ETH-hot-1002");
    const hot = resources.find(({ id }) => id === "ETH-hot-1002")!;
    expect(hot.attributes).toMatchObject({ purpose: "hot", ceiling: "5.000000000000000000" });
    expect(Number(hot.attributes["awaited_amount"])).toBeGreaterThan(0);
    const coins = await get("/hot-wallet/?filter[purpose]=coins", tenants.shop.token);
    expect(coins.resources.map(({ id }) => id)).toEqual(["BTC-coins-1000"]);
  });

  it("marks a transaction that is unconfirmed for too long as stuck, with what it waits for", async () => {
    const { resources } = await get("/spend/?filter[is_stuck]=true", tenants.shop.token);
    expect(resources.map(({ attributes }) => attributes)).toEqual([
      expect.objectContaining({
        kind: "sweep",
        state: "open",
        attempt_state: "broadcast",
        waits_for: "a block",
        is_stuck: true,
        txid: "0xab",
        fee: "0.000021000000000000",
        payouts: 0,
        broadcasts: 3,
      }),
    ]);
    const queue = await get("/payout-queue/", tenants.shop.token);
    expect(queue.resources.map(({ id }) => id)).toContain("ETH-held");
  });

  it("shows the size of a difference between ledger and chain", async () => {
    const { resources } = await get("/reconciliation/", tenants.shop.token);
    expect(resources).toHaveLength(1);
    expect(resources[0]!.attributes).toMatchObject({
      ledger_amount: "1.500000000000000000",
      chain_amount: "1.400000000000000000",
      difference: "-0.100000000000000000",
      is_paused: false,
      height: 99,
    });
  });

  it("shows an unexplained transaction with its recipients and the payouts that it may have paid", async () => {
    const requested = newPayout(tenants.shop.wallets.ether, { amount: "0.0037" });
    const payout = (await postPayout(api, tenants.shop.token, requested)).one;
    const { address, amount } = payout.attributes as { address: string; amount: string };
    await database.sql(
      `insert into unexplained_spend (chain, txid, claims, payments, block_height, block_hash, seen_at)
     select 'ETH', '0xcd', array['0x1#7'],
       jsonb_build_array(jsonb_build_object('to', lower($1), 'address', $1::text, 'currency', '1002', 'units', p.paid_units::text)),
       99, '0xef', $3 from payout p where p.id = $2`,
      [address, payout.id, formatTimestamp(api.clock.now())],
    );
    // The same address, but another receiver: a tag tells them apart.
    await database.sql(
      `insert into unexplained_spend (chain, txid, claims, payments, seen_at)
       select chain, '0xee', claims, jsonb_set(payments, '{0}', payments -> 0 || jsonb_build_object('tag', '7', 'to', payments -> 0 ->> 'to' || ':7')),
         seen_at - interval '1 second' from unexplained_spend`,
    );
    const { resources } = await get("/unexplained-spend/?filter[chain]=ETH", tenants.shop.token);
    expect(resources.map(({ id, attributes }) => ({ id, ...attributes }))).toMatchObject([
      {
        id: "ETH-0xcd",
        block_height: 99,
        payments: [{ address, tag: null, currency: "ETH", amount }],
        payouts: [payout.id],
        decided_at: null,
      },
      { id: "ETH-0xee", payments: [{ address, tag: "7", amount }], payouts: [] },
    ]);
    // Its account cannot cancel it until then.
    const cancel = await api.ask({
      method: "POST",
      path: `/payout/${payout.id}/cancel/`,
      as: tenants.shop.token,
    });
    expect(JSON.stringify(cancel.errors)).toContain("An operator must review it first");
    await database.sql("delete from unexplained_spend");
  });

  describe("kill switches", () => {
    it("refuse payouts of every account while a deployment-wide switch is on", async () => {
      const { shop, stranger } = tenants;
      const created = await turn(shop.token, { scope: "all", reason: "drill" });
      expect([created.status, created.headers["location"]]).toEqual([
        201,
        expect.stringMatching(/\/kill-switch\/all\/$/) as unknown,
      ]);
      expect(created.one.attributes).toMatchObject({
        is_on: true,
        reason: "drill",
        set_by: "Someone",
      });
      for (const { token, wallets } of [shop, stranger])
        expect(describeResponse(await pay(token, wallets.ether))).toBe("403 3019");
      const seen = await get("/kill-switch/", stranger.token);
      expect(seen.resources.map(({ id, attributes }) => [id, attributes["reason"]])).toEqual([
        ["all", "drill"],
      ]);
      expect((await get("/chain/BTC/", shop.token)).one.attributes).toMatchObject({
        is_paused: true,
        pause_kind: "kill_switch",
        pause_reason: "drill",
      });
      expect(describeResponse(await release(stranger.token, "all"))).toBe("403 permission_denied");
      const ended = await release(shop.token, "all");
      expect([ended.status, ended.one.attributes["is_on"]]).toEqual([200, false]);
      expect((await pay(stranger.token, stranger.wallets.ether)).status).toBe(201);
      expect((await release(shop.token, "all")).status).toBe(404);
    });

    it("are read by every role of an account, and released by its Owners and Admins only", async () => {
      const { shop, roles, clerk } = tenants;
      await turn(shop.token, { scope: "all", reason: "suspicious logins" });
      const id = `wallet-${shop.wallets.bitcoin}`;
      await turn(shop.token, { scope: "wallet", reason: "audit" }, shop.wallets.bitcoin);
      const shown = async (token: string) =>
        (await get("/kill-switch/", token)).resources.map((found) => [
          found.id,
          found.attributes["reason"],
          found.attributes["set_by"],
        ]);
      const ofDeployment = ["all", "suspicious logins", null];
      for (const { token } of [roles.read_only, roles.withdrawals])
        expect(await shown(token)).toEqual([ofDeployment, [id, "audit", "Someone"]]);
      // An Owner who may not view the wallet, and so does not operate the deployment.
      expect(await shown(clerk.token)).toEqual([ofDeployment]);
      expect((await get(`/kill-switch/${id}/`, clerk.token)).status).toBe(404);
      for (const { token } of [roles.read_only, roles.withdrawals])
        for (const on of ["all", id])
          expect(describeResponse(await release(token, on))).toBe("403 permission_denied");
      for (const on of ["all", id]) expect((await release(shop.token, on)).status).toBe(200);
    });

    it("of a chain leave other chains alone, and those of a wallet belong to its account", async () => {
      const { shop, stranger } = tenants;
      expect((await turn(shop.token, { scope: "chain", chain: "BTC", reason: "r" })).one.id).toBe(
        "chain-BTC",
      );
      expect((await pay(shop.token, shop.wallets.ether)).status).toBe(201);
      await release(shop.token, "chain-BTC");
      const created = await turn(
        stranger.token,
        { scope: "wallet", reason: "mine" },
        stranger.wallets.ether,
      );
      expect(created.one.id).toBe(`wallet-${stranger.wallets.ether}`);
      expect(describeResponse(await pay(stranger.token, stranger.wallets.ether))).toBe(
        "403 3019 /data/relationships/wallet",
      );
      expect((await get("/kill-switch/", shop.token)).resources).toEqual([]);
      expect((await release(shop.token, created.one.id)).status).toBe(404);
      expect(
        (await get(`/kill-switch/${created.one.id}/`, stranger.token)).one.attributes,
      ).toMatchObject({ reason: "mine", scope: "wallet" });
      await release(stranger.token, created.one.id);
      expect((await pay(stranger.token, stranger.wallets.ether)).status).toBe(201);
    });

    it("show a pause by reconciliation, which no person can release", async () => {
      await database.sql(
        "insert into payout_stop (scope, by_reconciliation, reason, created_at) values ('chain/ETH', true, 'differs', $1)",
        [formatTimestamp(api.clock.now())],
      );
      const shown = await get("/kill-switch/reconciliation-ETH/", tenants.shop.token);
      expect(shown.one.attributes).toMatchObject({
        kind: "reconciliation",
        is_by_reconciliation: true,
        chain: "ETH",
      });
      expect(describeResponse(await release(tenants.shop.token, "reconciliation-ETH"))).toBe(
        "403 permission_denied",
      );
      await database.sql("delete from payout_stop");
    });

    it("can be turned only by permitted members, with a reason; a refused request changes nothing", async () => {
      const { shop, stranger, roles, clerk } = tenants;
      const before = await databaseDigest(database);
      const all = { scope: "all", reason: "r" };
      const refusals: readonly (readonly [Promise<Awaited<ReturnType<typeof turn>>>, string])[] = [
        [turn(stranger.token, all), "403 permission_denied"],
        [turn(stranger.token, { ...all, scope: "chain", chain: "ETH" }), "403 permission_denied"],
        [turn(roles.read_only.token, all), "403 permission_denied"],
        [turn(roles.withdrawals.token, all), "403 permission_denied"],
        [turn(clerk.token, all), "403 permission_denied"],
        [turn(shop.token, { scope: "all" }), "400 1007 /data/attributes/reason"],
        [turn(shop.token, { ...all, scope: "planet" }), "400 1007 /data/attributes/scope"],
        [turn(shop.token, { ...all, scope: "chain" }), "400 1007 /data/attributes/chain"],
        [
          turn(shop.token, { ...all, scope: "chain", chain: "DOGE" }),
          "400 1007 /data/attributes/chain",
        ],
        [turn(shop.token, { ...all, chain: "ETH" }), "400 1007 /data/attributes/chain"],
        [turn(shop.token, { ...all, scope: "wallet" }), "400 1007 /data/relationships/wallet"],
        [
          turn(shop.token, { ...all, scope: "wallet" }, stranger.wallets.ether),
          "400 1007 /data/relationships/wallet",
        ],
        [
          turn(shop.token, { ...all, scope: "wallet" }, "nine"),
          "400 1007 /data/relationships/wallet",
        ],
        [
          turn(clerk.token, { ...all, scope: "wallet" }, shop.wallets.bitcoin),
          "400 1007 /data/relationships/wallet",
        ],
        [turn(shop.token, all, shop.wallets.ether), "400 1007 /data/relationships/wallet"],
      ];
      for (const [requested, expected] of refusals) {
        expect(describeResponse(await requested)).toBe(expected);
      }
      expect(await databaseDigest(database)).toEqual(before);
    });

    it("record who turned them in the audit log", async () => {
      const rows = await database.sql<{ action: string; object_id: string }>(
        "select action, object_id from audit_entry where account_id = $1 and action like 'kill_switch%' order by seq",
        [tenants.shop.accountId],
      );
      expect(rows.map(({ action, object_id }) => `${action} ${object_id}`)).toEqual([
        "kill_switch.turned_on all",
        "kill_switch.turned_off all",
        "kill_switch.turned_on all",
        `kill_switch.turned_on wallet-${tenants.shop.wallets.bitcoin}`,
        "kill_switch.turned_off all",
        `kill_switch.turned_off wallet-${tenants.shop.wallets.bitcoin}`,
        "kill_switch.turned_on chain-BTC",
        "kill_switch.turned_off chain-BTC",
      ]);
    });

    it("of a chain can also stop what is credited there, and others cannot", async () => {
      const { token } = tenants.shop;
      const request = { scope: "chain", chain: "BTC", reason: "a split", stops_crediting: true };
      const created = await turn(token, request);
      expect(created.one.attributes).toMatchObject({ stops_crediting: true });
      expect(await isReadingStopped(database.db, "BTC")).toBe(true);
      await release(token, "chain-BTC");
      expect(await isReadingStopped(database.db, "BTC")).toBe(false);
      expect(
        describeResponse(await turn(token, { scope: "all", reason: "r", stops_crediting: true })),
      ).toBe("400 1007 /data/attributes/stops_crediting");
    });
  });

  it("shows administrators the limits of the account and of the deployment", async () => {
    const { shop, stranger, roles } = tenants;
    await database.sql(
      `insert into payout_limit (account_id, wallet_id, currency, span, units)
     values (null, null, '1002', 'day', 3000000000000000000), ($1, null, '1000', 'hour', 100000000),
       ($1, $2, '1002', 'transaction', 1)`,
      [shop.accountId, shop.wallets.ether],
    );
    const own = await get("/payout-limit/", shop.token);
    expect(
      own.resources
        .map(({ attributes: { span, amount, is_default } }) =>
          [span, amount, is_default].map(String).join(" "),
        )
        .toSorted(),
    ).toEqual([
      "day 3.000000000000000000 true",
      "hour 1.00000000 false",
      "transaction 0.000000000000000001 false",
    ]);
    const theirs = await get("/payout-limit/", stranger.token);
    expect(theirs.resources.map(({ attributes }) => attributes["span"])).toEqual(["day"]);
    expect(describeResponse(await get("/payout-limit/", roles.read_only.token))).toBe(
      "403 permission_denied",
    );
  });
});
