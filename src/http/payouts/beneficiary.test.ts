import { beforeEach, describe, expect, it } from "vitest";
import { classicAddressToXAddress } from "xrpl";
import { apiServer } from "../../../test/support/api-server.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeWallet,
  depositWorld,
  ownerOf,
  testCurrencies,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { payee, payoutSeal, payoutWorld, receiver } from "../../../test/support/payout-world.ts";
import type { Principal } from "../../accounts/principal.ts";
import { createStellarPayeeAddressing } from "../../chains/stellar/payee-addressing.ts";
import { createXrplPayeeAddressing } from "../../chains/xrpl/payee-addressing.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { beneficiaryRoutes } from "./beneficiary.ts";
import { payeeRoutes } from "./payee.ts";

/* Beneficiaries with the real server, seal and database: validation, who may view travel-rule data, and separation from the allowlist. */

const database = useDatabase();
const world = depositWorld(database);
const { findPayeeAddressing } = payoutWorld(world).context;
const api = apiServer(
  [
    ...beneficiaryRoutes({
      db: database.db,
      clock: world.clock,
      seal: payoutSeal,
      currencies: testCurrencies,
      findPayeeAddressing,
    }),
    ...payeeRoutes({ db: database.db }),
  ],
  { clock: world.clock },
);
let owner: Principal;
let stranger: Principal;
beforeEach(async () => {
  owner = ownerOf((await arrangeWallet(world)).accountId);
  stranger = ownerOf((await arrangeWallet(world)).accountId);
});
const as = (role: Principal["role"]): Principal => ({ ...owner, memberId: "77", role });

const document = (
  attributes: Readonly<Record<string, JsonValue>>,
  currency: JsonValue = "1002",
): JsonObject => ({
  data: {
    type: "beneficiary",
    attributes: { name: "Jo Doe", address: payee, ...attributes },
    relationships: { currency: { data: { type: "currency", id: currency } } },
  },
});
const create = (
  attributes: Readonly<Record<string, JsonValue>> = {},
  by = owner,
  currency = "1002",
) => api.ask("POST", "/beneficiary/", { as: by, body: document(attributes, currency) });
const audited = () =>
  database.sql<{ action: string; object_id: string; summary: JsonObject }>(
    "select action, object_id, summary from audit_entry where account_id = $1 order by seq",
    [owner.accountId],
  );
const get = (id: string, by = owner) => api.ask("GET", `/beneficiary/${id}/`, { as: by });

describe("POST /beneficiary/", () => {
  it("stores the canonical address and the sealed travel-rule data", async () => {
    const created = await create({
      address: payee.toLowerCase(),
      travel_rule_info: receiver,
    });
    expect(created.status).toBe(201);
    expect(created.one.attributes).toMatchObject({
      name: "Jo Doe",
      chain: "ETH",
      address: payee,
      tag: null,
      tag_type: null,
      has_travel_rule_info: true,
      travel_rule_info: receiver,
      may_be_paid: true,
    });
    expect(created.one.relationships["currency"]).toEqual({
      data: { type: "currency", id: "1002" },
    });
    const [row] = await database.sql<{ travel_rule_sealed: Buffer }>(
      "select travel_rule_sealed from beneficiary where id = $1",
      [created.one.id],
    );
    expect(row?.travel_rule_sealed.toString("latin1")).not.toContain("Doe");
    expect((await get(created.one.id)).one).toEqual(created.one);
    expect(await audited()).toMatchObject([
      { action: "beneficiary.created", object_id: created.one.id, summary: { address: payee } },
    ]);
    expect(JSON.stringify(await audited())).not.toContain("Unter den Linden");
  });

  it("names every fault with a pointer, and stores nothing", async () => {
    const pointer = "1007 /data/attributes/";
    const currency = "1007 /data/relationships/currency";
    const persons = `${pointer}travel_rule_info/beneficiary/beneficiaryPersons`;
    const refusals: readonly [Readonly<Record<string, JsonValue>>, string, readonly string[]][] = [
      [{ name: "" }, "1002", [`${pointer}name`]],
      [{ name: "x".repeat(65) }, "1002", [`${pointer}name`]],
      [{ address: "" }, "1002", [`${pointer}address`]],
      [{ address: "bc1qnotether" }, "1002", ["7001 /data/attributes/address"]],
      [{ address: `${payee}00` }, "1002", ["7001 /data/attributes/address"]],
      [{ tag: "7" }, "1002", [`${pointer}tag`]],
      [{}, "840", [currency]],
      [{}, "9999", [currency]],
      [{}, "1021", [currency]],
      [{ travel_rule_info: {} }, "1002", [`${pointer}travel_rule_info/beneficiary`]],
      [
        { name: "", travel_rule_info: { beneficiary: { beneficiaryPersons: [] } } },
        "1002",
        [`${pointer}name`, persons],
      ],
    ];
    for (const [attributes, currencyId, expected] of refusals) {
      const answer = await create(attributes, owner, currencyId);
      expect([attributes, faults(answer).slice(1)]).toEqual([attributes, expected]);
    }
    expect((await create({}, as("read_only"))).status).toBe(403);
    expect(
      await database.sql("select from beneficiary where account_id = $1", [owner.accountId]),
    ).toEqual([]);
  });

  it("rejects a second beneficiary with the same address on a chain, but not in another account", async () => {
    await create();
    const again = await create({ name: "Someone else", address: payee.toLowerCase() });
    expect(faults(again)).toEqual(["400", "1007 /data/attributes/address"]);
    expect((await create({}, stranger)).status).toBe(201);
    expect((await create({}, owner, "1146")).status).toBe(201);
  });
});

describe("a beneficiary on a chain with tags", () => {
  const tagged = apiServer(
    beneficiaryRoutes({
      db: database.db,
      clock: world.clock,
      seal: payoutSeal,
      currencies: testCurrencies,
      findPayeeAddressing: (chain) => {
        if (chain === "XRP") return createXrplPayeeAddressing("main");
        return chain === "XLM" ? createStellarPayeeAddressing() : null;
      },
    }),
    { clock: world.clock },
  );
  const add = (attributes: Readonly<Record<string, JsonValue>>, currency: string) =>
    tagged.ask("POST", "/beneficiary/", { as: owner, body: document(attributes, currency) });
  const account = "rGFuMiw48HdbnrUbkRYuitXTmfrDBNTCnX";
  const xAddress = classicAddressToXAddress(account, 7, false);
  const stellar = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
  const muxed = "MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK";
  const memo = "9223372036854775808";

  it("keeps the tag that its address contains, without which the money would go to nobody's account", async () => {
    expect((await add({ address: xAddress }, "1010")).one.attributes).toMatchObject({
      address: account,
      tag: "7",
      tag_type: null,
    });
    expect((await add({ address: muxed }, "1021")).one.attributes).toMatchObject({
      address: stellar,
      tag: memo,
      tag_type: "1",
    });
    expect(await audited()).toMatchObject([
      { summary: { address: account, tag: "7" } },
      { summary: { address: stellar, tag: memo } },
    ]);
  });

  it("is one beneficiary, however its tag is written", async () => {
    expect((await add({ address: account, tag: "007" }, "1010")).one.attributes["tag"]).toBe("7");
    const taken = ["400", "1007 /data/attributes/address"];
    expect(faults(await add({ address: account, tag: "7" }, "1010"))).toEqual(taken);
    expect(faults(await add({ address: xAddress }, "1010"))).toEqual(taken);
    expect((await add({ address: stellar, tag: memo, tag_type: "1" }, "1021")).status).toBe(201);
    expect(faults(await add({ address: muxed }, "1021"))).toEqual(taken);
    expect((await add({ address: stellar }, "1021")).one.attributes).toMatchObject({
      tag: null,
      tag_type: null,
    });
  });
});

describe("GET /beneficiary/", () => {
  it("shows travel-rule data only to certain roles, and never in lists", async () => {
    const { one } = await create({ travel_rule_info: receiver });
    for (const role of ["admin", "withdrawals", "withdrawals_with_approval"] as const)
      expect((await get(one.id, as(role))).one.attributes["travel_rule_info"]).toEqual(receiver);
    const read = (await get(one.id, as("read_only"))).one.attributes;
    expect([read["travel_rule_info"], read["has_travel_rule_info"]]).toEqual([null, true]);
    const { resources, text } = await api.ask("GET", "/beneficiary/", { as: owner });
    expect(resources[0]?.attributes["travel_rule_info"]).toBeNull();
    expect(text).not.toContain("Unter den Linden");
  });

  it("filters and sorts lists, by name by default", async () => {
    await create({ name: "Zoe" });
    await create({ name: "Adam" }, owner, "1146");
    const names = async (query: string, by = owner) =>
      (await api.ask("GET", `/beneficiary/?${query}`, { as: by })).resources.map(
        ({ attributes }) => attributes["name"],
      );
    expect(await names("")).toEqual(["Adam", "Zoe"]);
    expect(await names("sort=-name")).toEqual(["Zoe", "Adam"]);
    expect(await names("filter[chain]=ETH")).toEqual(["Zoe"]);
    expect(await names("filter[currency]=1146")).toEqual(["Adam"]);
    expect(await names("filter[name]=ZO")).toEqual(["Zoe"]);
    expect(await names(`filter[address]=${payee}`)).toEqual(["Adam", "Zoe"]);
    expect(await names("page[after]=&page[size]=1")).toEqual(["Adam"]);
    expect(await names("", stranger)).toEqual([]);
  });

  it("hides a beneficiary from other accounts, which cannot change or remove it either", async () => {
    const { one } = await create();
    const path = `/beneficiary/${one.id}/`;
    const body = { data: { type: "beneficiary", attributes: { name: "Mine" } } };
    expect((await get(one.id, stranger)).status).toBe(404);
    expect((await api.ask("PATCH", path, { as: stranger, body })).status).toBe(404);
    expect((await api.ask("DELETE", path, { as: stranger })).status).toBe(404);
    expect((await get(one.id)).one).toEqual(one);
  });
});

describe("PATCH and DELETE /beneficiary/{id}/", () => {
  const patch = (id: string, attributes: JsonObject, by = owner) =>
    api.ask("PATCH", `/beneficiary/${id}/`, {
      as: by,
      body: { data: { type: "beneficiary", attributes } },
    });

  it("change name and travel-rule data independently, but never the address", async () => {
    const { one } = await create({ travel_rule_info: receiver });
    const moved = await patch(one.id, { name: "Jo D.", address: `0x${"1".repeat(40)}` });
    expect(faults(moved)).toEqual(["400", "1007 /data/attributes/address"]);
    const renamed = await patch(one.id, { name: "Jo D.", address: payee });
    expect(renamed.one.attributes).toMatchObject({
      name: "Jo D.",
      address: payee,
      travel_rule_info: receiver,
    });
    const cleared = await patch(one.id, { travel_rule_info: null });
    expect(cleared.one.attributes).toMatchObject({
      name: "Jo D.",
      has_travel_rule_info: false,
      travel_rule_info: null,
    });
    expect((await patch(one.id, { travel_rule_info: receiver })).one.attributes).toMatchObject({
      travel_rule_info: receiver,
    });
    expect((await audited()).map(({ action }) => action)).toEqual([
      ...["beneficiary.created", "beneficiary.changed"],
      ...["beneficiary.changed", "beneficiary.changed"],
    ]);
  });

  it("ignore unknown members of travel-rule data, whatever they hold", async () => {
    const travel_rule_info = { ...receiver, note: "\u0000" };
    const { one } = await create({ travel_rule_info });
    const changed = await patch(one.id, { travel_rule_info });
    for (const { attributes } of [one, changed.one])
      expect(attributes["travel_rule_info"]).toEqual(receiver);
  });

  it("reject invalid changes, and change nothing", async () => {
    const { one } = await create({ travel_rule_info: receiver });
    const info = "1007 /data/attributes/travel_rule_info";
    expect(faults(await patch(one.id, { name: "" }))).toEqual([
      "400",
      "1007 /data/attributes/name",
    ]);
    expect(faults(await patch(one.id, { name: "x", travel_rule_info: "x" }))).toEqual([
      ...["400", info],
    ]);
    expect((await patch(one.id, { name: "x" }, as("read_only"))).status).toBe(403);
    expect((await get(one.id)).one).toEqual(one);
  });

  it("remove a beneficiary, but not for the role Read only", async () => {
    const { one } = await create();
    const path = `/beneficiary/${one.id}/`;
    expect((await api.ask("DELETE", path, { as: as("read_only") })).status).toBe(403);
    expect((await api.ask("DELETE", path, { as: owner })).status).toBe(204);
    expect((await get(one.id)).status).toBe(404);
    expect((await api.ask("DELETE", path, { as: owner })).status).toBe(404);
    expect((await create()).status).toBe(201);
  });
});

describe("may_be_paid", () => {
  it("is false for a beneficiary that is not allowlisted if payouts are restricted to allowlisted addresses", async () => {
    const { one } = await create();
    const mayBePaid = async () => (await get(one.id)).one.attributes["may_be_paid"];
    await database.sql("update account set pays_book_only = true where id = $1", [owner.accountId]);
    expect(await mayBePaid()).toBe(false);
    expect((await api.ask("GET", "/payee/", { as: owner })).resources).toEqual([]);
    await database.sql(
      `insert into address_book (account_id, chain, address, label, created_at) values ($1, 'ETH', $2, 'Doe', '2026-01-01Z')`,
      [owner.accountId, payee],
    );
    expect(await mayBePaid()).toBe(true);
    const { resources } = await api.ask("GET", "/payee/?filter[chain]=ETH", { as: owner });
    expect(resources.map(({ attributes }) => attributes)).toMatchObject([
      { chain: "ETH", address: payee, tag: null, label: "Doe", is_enforced: true },
    ]);
    expect((await api.ask("GET", "/payee/", { as: stranger })).resources).toEqual([]);
  });
});
