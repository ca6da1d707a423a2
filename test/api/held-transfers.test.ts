import { beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { useDatabase } from "../support/database.ts";
import { announceChain, fillPool } from "../support/deposit-world.ts";
import { takenFee } from "../support/fee-node.ts";
import { payee, receiver } from "../support/payout-world.ts";
import { outcome } from "../support/people-api.ts";
import { useWholeApi } from "../support/whole-api.ts";
import {
  arrangeBlocked,
  arrangePayoutOf,
  fundTenant,
  newPayout,
} from "../support/whole-payouts.ts";
import { arrangeTenant, type Tenant } from "../support/whole-tenant.ts";

/*
 * Only operators of the deployment release or return what screening holds, not the account that would receive the money. The first account of
 * a database is the operator; the shop is another account.
 */

const database = useDatabase();
const api = useWholeApi(database, { screening: { url: "http://127.0.0.1:9" } });
const reason = "The payer's bank has confirmed where the money comes from";
let operator: Tenant;
let shop: Tenant;
beforeAll(async () => {
  operator = await arrangeTenant(api);
  shop = await arrangeTenant(api);
  await announceChain(api.world(), "ETH");
  await fillPool(api.world(), "evm", "", 10);
  await fundTenant(api, shop);
});

const act = (id: string, action: string, as: string, attributes: JsonObject = {}) =>
  api.ask({
    method: "POST",
    path: `/transfer/${id}/${action}/`,
    as,
    headers: { "idempotency-key": systemRandom.uuid() },
    body: { data: { type: "transfer", attributes } },
  });
const payingBack = { address: payee, fee_amount: takenFee, travel_rule_info: receiver };
const transferOf = async (id: string) =>
  (await api.ask({ method: "GET", path: `/transfer/${id}/`, as: shop.token })).one.attributes;
const held = async () =>
  (await api.ask({ method: "GET", path: "/held-transfer/", as: operator.token })).resources;
const audited = (accountId: string, action: string, objectId: string) =>
  database.sql<{ member_id: string | null; summary: JsonObject }>(
    `select member_id, summary from audit_entry
     where account_id = $1 and action = $2 and object_id = $3`,
    [accountId, action, objectId],
  );

async function expectInBothLogs(action: string, objectId: string): Promise<void> {
  expect(await audited(operator.accountId, action, objectId)).toEqual([
    { member_id: operator.owner.memberId, summary: { reason, account: shop.accountId } },
  ]);
  expect(await audited(shop.accountId, action, objectId)).toEqual([
    { member_id: null, summary: { reason, by: "the operator" } },
  ]);
}

describe("a payment held by screening", () => {
  it("cannot be released or returned by its own account's Owner", async () => {
    const [id = ""] = await arrangeBlocked(api, shop, 1);
    for (const [action, attributes] of [
      ["release", { reason }],
      ["return", { ...payingBack, reason }],
      ["release", {}],
    ] as const)
      expect(outcome(await act(id, action, shop.token, attributes))).toBe("403 permission_denied");
    const quote = await api.ask({
      method: "POST",
      path: `/transfer/${id}/return/calculate/`,
      as: shop.token,
      body: { data: { type: "payout-calculation", attributes: { to_address: payee } } },
    });
    expect(outcome(quote)).toBe("403 permission_denied");
    expect(outcome(await act("99999999", "release", shop.token, { reason }))).toBe(
      "403 permission_denied",
    );
    expect(await transferOf(id)).toMatchObject({ status: -2, risk: 91 });
  });

  it("can be released by an operator in another account, with a reason in both audit logs", async () => {
    const [id = ""] = await arrangeBlocked(api, shop, 1);
    for (const attributes of [{}, { reason: "" }, { reason: "x".repeat(257) }])
      expect(outcome(await act(id, "release", operator.token, attributes))).toBe(
        "400 1007 /data/attributes/reason",
      );
    expect((await held()).map((one) => one.id)).toContain(id);
    const released = await act(id, "release", operator.token, { reason });
    expect(released.one.attributes, released.text).toMatchObject({ status: 2, risk: 91 });
    expect(await transferOf(id)).toMatchObject({ status: 2 });
    await expectInBothLogs("transfer.released", id);
    expect((await held()).map((one) => one.id)).not.toContain(id);
    expect(outcome(await act("99999999", "release", operator.token, { reason }))).toBe("404 404");
  });

  it("can be returned by an operator in another account, with a payout of the payment's account", async () => {
    const [id = ""] = await arrangeBlocked(api, shop, 1);
    const returned = await act(id, "return", operator.token, { ...payingBack, reason });
    expect(returned.status, returned.text).toBe(200);
    const { payout_id } = returned.document["meta"] as { readonly payout_id: string };
    const path = `/payout/${payout_id}/`;
    const payout = await api.ask({ method: "GET", path, as: shop.token });
    expect(payout.one.attributes).toMatchObject({ address: payee, status: 2 });
    expect((await api.ask({ method: "GET", path, as: operator.token })).status).toBe(404);
    await expectInBothLogs("transfer.returned", id);
    expect((await held()).map((one) => one.id)).not.toContain(id);
  });
});

describe("a payout held by screening", () => {
  it("can be released only by an operator, with a reason in both audit logs", async () => {
    const payout = await arrangePayoutOf(api, shop.token, newPayout(shop.wallets.ether));
    await database.sql("update payout set stage = 'blocked' where id = $1", [payout]);
    const [row] = await database.sql<{ id: string }>(
      "update transfer set status = -2 where payout_id = $1 returning id",
      [payout],
    );
    const id = row!.id;
    expect(outcome(await act(id, "release", shop.token, { reason }))).toBe("403 permission_denied");
    const listed = (await held()).find((one) => one.id === id);
    expect(listed?.attributes).toMatchObject({
      account_id: shop.accountId,
      account_name: "Test",
      op_type: 2,
      op_id: Number(payout),
      amount: "0.001000000000000000",
      status: -2,
    });
    expect((await act(id, "release", operator.token, { reason })).status).toBe(200);
    const [after] = await database.sql<{ stage: string }>(
      "select stage from payout where id = $1",
      [payout],
    );
    expect(after?.stage).toBe("held");
    await expectInBothLogs("payout.released", payout);
  });
});

describe("GET /held-transfer/", () => {
  it("is for operators of the deployment", async () => {
    const listed = await api.ask({ method: "GET", path: "/held-transfer/", as: shop.token });
    expect(outcome(listed)).toBe("403 permission_denied");
    const clerk = await api.arrangeMember({
      accountId: operator.accountId,
      role: "withdrawals",
    });
    const as = await api.tokenOf(clerk);
    expect((await api.ask({ method: "GET", path: "/held-transfer/", as })).status).toBe(403);
    const [id = ""] = await arrangeBlocked(api, shop, 1);
    expect(outcome(await act(id, "release", as, { reason }))).toBe("403 permission_denied");
    const filtered = `/held-transfer/?filter[account]=${operator.accountId}`;
    expect(
      (await api.ask({ method: "GET", path: filtered, as: operator.token })).resources,
    ).toEqual([]);
  });
});
