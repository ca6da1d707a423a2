/* The amounts from which payouts need travel-rule data, as an operator sets them, and what they change about payouts, over HTTP. */
import { beforeAll, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { arrangeTwoTenants, type TwoTenants } from "../../../test/support/two-tenants.ts";
import { databaseDigest, describeResponse, useWholeApi } from "../../../test/support/whole-api.ts";
import { newPayout, newRequirements, postPayout } from "../../../test/support/whole-payouts.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";

const database = useDatabase();
const api = useWholeApi(database, {
  payouts: { travel_rule_from: { BTC: "0.5", ETH: "0.2" } },
});
const path = "/travel-rule-threshold/";
let tenants: TwoTenants;
beforeAll(async () => {
  tenants = await arrangeTwoTenants(api);
});

const ask = (method: "GET" | "POST" | "DELETE", to: string, as: string, body?: JsonObject) =>
  api.ask({ method, path: to, as, ...(body === undefined ? {} : { body }) });
const set = (as: string, amount: JsonValue, currency = "1002") =>
  ask("POST", path, as, {
    data: {
      type: "travel-rule-threshold",
      attributes: { amount },
      relationships: { currency: { data: { type: "currency", id: currency } } },
    },
  });
const listed = async () =>
  (await ask("GET", path, tenants.shop.token)).resources.map(({ id, attributes }) => [
    id,
    attributes["amount"],
    attributes["set_at"] !== null,
  ]);
const configured = [
  ["1000", "0.50000000", false],
  ["1002", "0.200000000000000000", false],
];
const unnamed = (amount: string) =>
  postPayout(
    api,
    tenants.shop.token,
    newPayout(tenants.shop.wallets.ether, { amount, travel_rule_info: undefined }),
  );
const requirements = async (amount: string) =>
  (
    await ask(
      "POST",
      "/payout/requirements/",
      tenants.shop.token,
      newRequirements(tenants.shop.wallets.ether, amount),
    )
  ).one.attributes;
const needs = async (amount: string) => (await requirements(amount))["needs_travel_rule"];

describe("/travel-rule-threshold/", () => {
  it("lists the configuration's thresholds, which cannot be removed", async () => {
    expect(await listed()).toEqual(configured);
    expect(describeResponse(await ask("DELETE", `${path}1000/`, tenants.shop.token))).toBe(
      "404 404",
    );
  });

  it("excuses payouts below it, in that currency only", async () => {
    const missing = "400 1007 /data/attributes/travel_rule_info";
    const refusal = async (amount: string) => describeResponse(await unnamed(amount));
    expect([await needs("0.19"), await needs("0.2")]).toEqual([false, true]);
    expect(describeResponse(await set(tenants.shop.token, "0.1"))).toBe("201");
    expect([await needs("0.09"), await needs("0.1")]).toEqual([false, true]);
    expect((await requirements("1"))["travel_rule_from"]).toBe("0.100000000000000000");
    expect(describeResponse(await unnamed("0.09"))).toBe("201");
    expect(await refusal("0.1")).toBe(missing);
    const actions = await database.sql<{ action: string }>(
      "select action from audit_entry where object_type = 'travel-rule-threshold' order by seq",
    );
    expect(actions.map(({ action }) => action)).toEqual(["travel_rule_threshold.set"]);
  });

  it("is not raised by one member alone, nor removed where that excuses more", async () => {
    const before = await databaseDigest(database);
    for (const answer of [
      await set(tenants.shop.token, "0.11"),
      await set(tenants.shop.token, "0.6", "1000"),
      // A currency without one needs the data always.
      await set(tenants.shop.token, "0.1", "1003"),
      await ask("DELETE", `${path}1002/`, tenants.shop.token),
    ])
      expect(describeResponse(answer)).toBe("403 permission_denied");
    expect(await databaseDigest(database)).toEqual(before);
  });

  it("gives way to the configuration's where that is not higher", async () => {
    expect(describeResponse(await set(tenants.shop.token, "0.5", "1000"))).toBe("201");
    expect(describeResponse(await ask("DELETE", `${path}1000/`, tenants.shop.token))).toBe("204");
    expect((await listed()).find(([id]) => id === "1000")).toEqual(configured[0]);
  });

  it("refuses accounts that do not operate the deployment, and amounts that are none", async () => {
    const before = await databaseDigest(database);
    for (const answer of [
      await ask("GET", path, tenants.stranger.token),
      await set(tenants.stranger.token, "1"),
      await ask("DELETE", `${path}1000/`, tenants.stranger.token),
    ])
      expect(describeResponse(answer)).toBe("403 permission_denied");
    for (const [amount, currency] of [
      ["-1", "1002"],
      ["0.0000000000000000001", "1002"],
      ["1", "840"],
      ["1", "9"],
    ] as const)
      expect(describeResponse(await set(tenants.shop.token, amount, currency))).toContain(
        "400 1007",
      );
    expect(await databaseDigest(database)).toEqual(before);
  });
});
