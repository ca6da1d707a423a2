import { beforeAll, describe, expect, it } from "vitest";
import {
  type ApiAnswer,
  type AuthenticatedApi,
  authenticatedApi,
} from "../../../test/support/authenticated-api.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { manualClock } from "../../../test/support/manual-clock.ts";
import { arrangeMember, type TestMember } from "../../../test/support/test-accounts.ts";
import { changeMember } from "../../accounts/members/change-member.ts";
import type { Role } from "../../accounts/principal.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import type { Currency } from "../../currencies/currency.ts";
import { currencyResource } from "../../currencies/currency-resource.ts";
import { createFindAvailability } from "../../currencies/find-availability.ts";
import { createRegistry } from "../../currencies/registry.ts";
import { erc20, tokenOf } from "../../currencies/token-format.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { defineResource } from "../../platform/resources/define-resource.ts";
import { text } from "../../platform/resources/json-schema.ts";
import { walletLoader, walletRoutes } from "./wallet.ts";

const ether = builtInCurrencies.find((currency) => currency.id === "1002")!;
const shopToken: Currency = {
  ...ether,
  id: "9001" as CurrencyId,
  alpha: "SHOP-ETH",
  kind: "token",
  parent: ether.id,
  token: tokenOf(erc20, "0x0000000000000000000000000000000000000001"),
  isStablecoin: false,
};
const currencies = createRegistry([...builtInCurrencies, shopToken]);
const currencyAttributes = Object.keys(currencyResource(ether).attributes);
const currencyDefinition = defineResource({
  type: "currency",
  description: "A currency.",
  attributes: Object.fromEntries(currencyAttributes.map((name) => [name, text])),
});

const database = useDatabase();
const clock = manualClock();
let api: AuthenticatedApi;
let owner: TestMember;
let token: string;
beforeAll(async () => {
  api = authenticatedApi(database.db, clock, ({ db }) => {
    const wallets = {
      db,
      clock,
      currencies,
      findAvailability: createFindAvailability({
        enabled: new Set(["ETH", "BTC"]),
        disabled: new Set(),
      }),
    };
    const currencyLoader = {
      resource: currencyDefinition,
      load: (ids: readonly string[]) =>
        Promise.resolve(ids.map((id) => currencyResource(currencies.get(id)))),
    };
    return { routes: walletRoutes(wallets), loaders: [walletLoader(wallets), currencyLoader] };
  });
  owner = await arrangeMember(api.context);
  token = await api.tokenOf(owner);
});

const create = (
  bearer: string,
  type: number | string,
  currency: string | number,
  label?: string,
): Promise<ApiAnswer> =>
  api.send(bearer, "POST", "/wallet/", {
    type: "wallet",
    attributes: { type, ...(label === undefined ? {} : { label }) },
    relationships: { currency: { data: { type: "currency", id: currency } } },
  });
const faults = ({ status, body }: ApiAnswer): unknown[] => [
  status,
  ...body.errors.flatMap((error) => [error.code, error.source?.["pointer"]]),
];
const ids = ({ body }: ApiAnswer): string[] => body.data.map((wallet) => wallet.id);

async function newTenant(role: Role = "owner"): Promise<TestMember & { token: string }> {
  const member = await arrangeMember(api.context, { role });
  return { ...member, token: await api.tokenOf(member) };
}

describe("POST /wallet/", () => {
  it("creates an active, empty wallet with every attribute", async () => {
    const { status, headers, body } = await create(token, 2, "1002", "Main");
    expect(status).toBe(201);
    expect(headers["location"]).toBe(`http://sluice.test/wallet/${body.data.id}/`);
    expect(body.data).toEqual({
      type: "wallet",
      id: expect.stringMatching(/^[1-9]\d{0,7}$/) as unknown,
      attributes: {
        label: "Main",
        status: 3,
        type: 2,
        created_at: "2026-01-02T03:04:05.678901Z",
        balance_confirmed: "0.000000000000000000",
        balance_pending: "0.000000000000000000",
        balance_unusable: "0.000000000000000000",
        minimal_transfer_amount: expect.stringMatching(/^\d+\.\d{18}$/) as unknown,
        destination: null,
      },
      relationships: { currency: { data: { type: "currency", id: "1002" } } },
    });
    const read = await api.send(token, "GET", `/wallet/${body.data.id}`);
    expect(read.body.data).toEqual(body.data);
  });

  it("accepts type and currency as numbers or text, and defaults the label to the alpha code", async () => {
    const { status, body } = await create(token, "1", 840, "");
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({
      type: 1,
      label: "USD",
      balance_confirmed: "0.00",
      minimal_transfer_amount: "0.01",
    });
  });

  it.each([
    { type: 1, currency: "840", answer: [201] },
    { type: 1, currency: "1002", answer: [201] },
    { type: 1, currency: "2015", answer: [201] },
    { type: 1, currency: "9001", answer: [400, "1007", "/data/relationships/currency"] },
    { type: 2, currency: "9001", answer: [201] },
    { type: 2, currency: "1000", answer: [201] },
    { type: 3, currency: "2014", answer: [201] },
    { type: 5, currency: "1002", answer: [201] },
    { type: 2, currency: "840", answer: [400, "1007", "/data/relationships/currency"] },
    { type: 3, currency: "978", answer: [400, "1007", "/data/relationships/currency"] },
    { type: 5, currency: "826", answer: [400, "1007", "/data/relationships/currency"] },
    { type: 4, currency: "840", answer: [201] },
    { type: 4, currency: "1002", answer: [201] },
    { type: 2, currency: "1003", answer: [400, "6015", "/data/relationships/currency"] },
    { type: 2, currency: "1010", answer: [400, "6015", "/data/relationships/currency"] },
    { type: 2, currency: "77777", answer: [400, "1007", "/data/relationships/currency"] },
    { type: 2, currency: "ETH", answer: [400, "1007", "/data/relationships/currency"] },
    { type: 6, currency: "1002", answer: [400, "1007", "/data/attributes/type"] },
  ])("returns $answer for type $type in $currency", async ({ type, currency, answer }) => {
    const created = await create(token, type, currency);
    expect(created.status === 201 ? [201] : faults(created)).toEqual(answer);
  });

  it("requires type and currency, and limits the label to 32 characters", async () => {
    const empty = await api.send(token, "POST", "/wallet/", { type: "wallet", attributes: {} });
    expect(faults(empty)).toEqual([
      400,
      ...["1007", "/data/attributes/type"],
      ...["1007", "/data/relationships/currency"],
    ]);
    expect((await create(token, 2, "1002", "€".repeat(32))).status).toBe(201);
    expect(faults(await create(token, 2, "1002", "€".repeat(33)))).toEqual([
      400,
      "1007",
      "/data/attributes/label",
    ]);
  });

  it("returns the operator's restrictions with their own codes", async () => {
    const tenant = await newTenant();
    const set = async (column: string): Promise<unknown> => {
      await database.sql(`insert into currency_state (currency, ${column}) values ('2068', true)`);
      const answer = await create(tenant.token, 2, "2068");
      await database.sql("delete from currency_state");
      return faults(answer)[1];
    };
    expect(await set("is_disabled")).toBe("6002");
    expect(await set("is_unavailable")).toBe("6015");
    expect(await set("is_unpaid")).toBe("6017");
    await database.sql("insert into account_currency_block values ($1, '2068')", [
      tenant.accountId,
    ]);
    expect(faults(await create(tenant.token, 2, "2068"))[1]).toBe("6015");
    expect((await create(token, 2, "2068")).status).toBe(201);
  });
});

describe("wallet routes", () => {
  it("let only Owner and Admin create, relabel and activate", async () => {
    const { body } = await create(token, 2, "1002");
    const { accountId } = owner;
    const answers = async (role: Role): Promise<number[]> => {
      const bearer = await api.tokenOf(await arrangeMember(api.context, { accountId, role }));
      const path = `/wallet/${body.data.id}/`;
      const label = { type: "wallet", id: body.data.id, attributes: { label: role } };
      return [
        (await create(bearer, 2, "1002")).status,
        (await api.send(bearer, "PATCH", path, label)).status,
        (await api.send(bearer, "PATCH", path, { ...label, attributes: {} })).status,
        (await api.send(bearer, "POST", `${path}activate/`)).status,
        (await api.send(bearer, "GET", path)).status,
      ];
    };
    expect(await answers("owner")).toEqual([201, 200, 200, 200, 200]);
    expect(await answers("admin")).toEqual([201, 200, 200, 200, 200]);
    expect(await answers("withdrawals")).toEqual([403, 403, 403, 403, 200]);
    expect(await answers("withdrawals_with_approval")).toEqual([403, 403, 403, 403, 200]);
    expect(await answers("read_only")).toEqual([403, 403, 403, 403, 200]);
    const reader = await arrangeMember(api.context, { accountId, role: "read_only" });
    const refused = await create(await api.tokenOf(reader), 2, "1002");
    expect(faults(refused)).toEqual([403, "permission_denied", undefined]);
  });

  it("return the same error for another account's wallet and an unknown one", async () => {
    const stranger = await newTenant();
    const { body } = await create(token, 2, "1002");
    const unknown = "99999999";
    for (const id of [body.data.id, unknown]) {
      const label = { type: "wallet", id, attributes: { label: "mine" } };
      for (const answer of [
        await api.send(stranger.token, "GET", `/wallet/${id}/`),
        await api.send(stranger.token, "PATCH", `/wallet/${id}/`, label),
        await api.send(stranger.token, "POST", `/wallet/${id}/activate/`),
      ])
        expect([answer.status, answer.body.errors[0]?.code]).toEqual([404, "404"]);
    }
    expect(ids(await api.send(stranger.token, "GET", "/wallet/"))).toEqual([]);
    expect(
      ids(await api.send(stranger.token, "GET", `/wallet/?filter[id]=${body.data.id}`)),
    ).toEqual([]);
    const untouched = await api.send(token, "GET", `/wallet/${body.data.id}/`);
    expect(untouched.body.data.attributes["label"]).toBe("ETH");
  });

  it("omit wallets that are not granted from lists, and return 400/5001 for them by id", async () => {
    const tenant = await newTenant();
    const [granted, hidden] = [
      (await create(tenant.token, 2, "1002")).body.data.id,
      (await create(tenant.token, 2, "1000")).body.data.id,
    ];
    const member = await arrangeMember(api.context, {
      accountId: tenant.accountId,
      role: "admin",
      wallets: new Map([[granted, { mayPay: false }]]),
    });
    const bearer = await api.tokenOf(member);
    expect(ids(await api.send(bearer, "GET", "/wallet/"))).toEqual([granted]);
    const list = await api.send(bearer, "GET", "/wallet/");
    expect(list.body.meta).toEqual({ pagination: { page: 1, pages: 1, count: 1 } });
    expect(ids(await api.send(bearer, "GET", `/wallet/?filter[id]=${hidden}`))).toEqual([]);
    const label = { type: "wallet", id: hidden, attributes: { label: "x" } };
    for (const answer of [
      await api.send(bearer, "GET", `/wallet/${hidden}/`),
      await api.send(bearer, "PATCH", `/wallet/${hidden}/`, label),
      await api.send(bearer, "POST", `/wallet/${hidden}/activate/`),
    ])
      expect([answer.status, answer.body.errors[0]?.code]).toEqual([400, "5001"]);

    const own = (await create(bearer, 2, "1002")).body.data.id;
    expect(ids(await api.send(bearer, "GET", "/wallet/?sort=id"))).toEqual([granted, own]);
    const target = { accountId: tenant.accountId, id: member.memberId };
    await changeMember(api.context, "operator", target, { role: "admin", wallets: "all" });
    expect(ids(await api.send(bearer, "GET", "/wallet/?sort=id"))).toEqual([granted, hidden, own]);
  });

  it("change a label, reset it to the alpha code, and leave it unchanged when absent", async () => {
    const { id } = (await create(token, 2, "1002", "Main")).body.data;
    const patch = async (attributes: Record<string, string | null>): Promise<unknown> => {
      const data = { type: "wallet", id, attributes };
      const answer = await api.send(token, "PATCH", `/wallet/${id}/`, data);
      expect(answer.status).toBe(200);
      return answer.body.data.attributes["label"];
    };
    expect(await patch({})).toBe("Main");
    expect(await patch({ label: "Other", color: "red" })).toBe("Other");
    expect(await patch({ label: "" })).toBe("ETH");
    expect(await patch({ label: "Again" })).toBe("Again");
    expect(await patch({ label: null })).toBe("ETH");
    const wrong = { type: "wallet", id: "1234567", attributes: { label: "x" } };
    expect((await api.send(token, "PATCH", `/wallet/${id}/`, wrong)).status).toBe(409);
  });

  it("activate a wallet unless its chain requires a transfer first", async () => {
    const { id } = (await create(token, 2, "1002")).body.data;
    await database.sql("update wallet set status = 1 where id = $1", [id]);
    const activated = await api.send(token, "POST", `/wallet/${id}/activate/`);
    expect(activated.body.data.attributes["status"]).toBe(3);
    await database.sql("update wallet set status = 1, needs_activation = true where id = $1", [id]);
    expect(faults(await api.send(token, "POST", `/wallet/${id}/activate/`))).toEqual([
      400,
      "3021",
      undefined,
    ]);
    const still = await api.send(token, "GET", `/wallet/${id}/`);
    expect(still.body.data.attributes["status"]).toBe(1);
  });

  it("show available, pending and unusable balances in full precision, without held money", async () => {
    const { id } = (await create(token, 2, "1000")).body.data;
    await database.sql(
      `update wallet_balance set available = 100000, pending = 2100000000000000, held = 7, unusable = 1
     where wallet_id = $1`,
      [id],
    );
    await database.sql("update wallet set destination = $2::jsonb where id = $1", [
      id,
      JSON.stringify({ address_type: "bech32", address: "bc1q" }),
    ]);
    const { body } = await api.send(token, "GET", `/wallet/${id}/`);
    expect(body.data.attributes).toMatchObject({
      balance_confirmed: "0.00100000",
      balance_pending: "21000000.00000000",
      balance_unusable: "0.00000001",
      destination: { address_type: "bech32", address: "bc1q" },
    });
  });

  it("filter, sort, page and include currencies in lists", async () => {
    const tenant = await newTenant();
    const make = async (type: number, currency: string, label: string): Promise<string> => {
      clock.advance(60);
      return (await create(tenant.token, type, currency, label)).body.data.id;
    };
    const start = clock.now();
    const merchant = await make(1, "840", "Shop in dollars");
    const bitcoin = await make(2, "1000", "Cold");
    const ethers = await make(2, "1002", "SHOP ether");
    await database.sql("update wallet set status = 2 where id = $1", [ethers]);
    const list = async (query: string): Promise<string[]> =>
      ids(await api.send(tenant.token, "GET", `/wallet/?${query}`));

    expect(clock.now() - start).toBe(180_000_000);
    expect(await list("")).toEqual([ethers, bitcoin, merchant]);
    expect(await list("sort=created_at")).toEqual([merchant, bitcoin, ethers]);
    expect(await list("sort=-label")).toEqual([merchant, ethers, bitcoin]);
    expect(await list("filter[type]=2")).toEqual([ethers, bitcoin]);
    expect(await list("filter[wallet_type]=2")).toEqual([ethers, bitcoin]);
    expect(await list("filter[status]=2")).toEqual([ethers]);
    expect(await list("filter[currency]=1000")).toEqual([bitcoin]);
    expect(await list("filter[label]=shop")).toEqual([ethers, merchant]);
    expect(await list(`filter[id]=${bitcoin}`)).toEqual([bitcoin]);
    const created = (await api.send(tenant.token, "GET", `/wallet/${bitcoin}/`)).body.data;
    const at = String(created.attributes["created_at"]);
    expect(await list(`filter[created_at_from]=${at}`)).toEqual([ethers, bitcoin]);
    expect(await list(`filter[created_at_to]=${at}`)).toEqual([bitcoin, merchant]);
    expect(await list("page[size]=1&page[number]=2")).toEqual([bitcoin]);

    const included = await api.send(
      tenant.token,
      "GET",
      "/wallet/?include=currency&filter[type]=2",
    );
    expect(included.body.included.map((currency) => currency.id).toSorted()).toEqual([
      "1000",
      "1002",
    ]);
    for (const query of [
      "filter[type]=9",
      "filter[nope]=1",
      "filter[id]=x",
      "sort=balance_pending",
    ])
      expect((await api.send(tenant.token, "GET", `/wallet/?${query}`)).status).toBe(400);
  });

  it("create many wallets in parallel, each with its balance", async () => {
    const tenant = await newTenant();
    const created = await Promise.all(
      Array.from({ length: 30 }, (_, index) => create(tenant.token, 2, "1002", `w${index}`)),
    );
    expect(new Set(created.map((answer) => answer.body.data.id)).size).toBe(30);
    const [count] = await database.sql<{ count: string }>(
      "select count(*) as count from wallet_balance where account_id = $1",
      [tenant.accountId],
    );
    expect(count!.count).toBe("30");
  });

  it("return 401/2007 without a token for every method, including OPTIONS", async () => {
    for (const method of ["GET", "POST", "OPTIONS"] as const) {
      const { status, body } = await api.send(null, method, "/wallet/");
      expect([status, body.errors[0]?.code]).toEqual([401, "2007"]);
    }
    const options = await api.send(token, "OPTIONS", "/wallet/");
    expect(options.status).toBe(200);
  });
});
