import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import type { SeenResource } from "../support/api-server.ts";
import { shopOrigin as origin, useConventions } from "../support/conventions-site.ts";
import { useDatabase } from "../support/database.ts";
import { announceChain } from "../support/deposit-world.ts";
import { receiver } from "../support/payout-world.ts";
import { describeResponse, useWholeApi } from "../support/whole-api.ts";
import { newDeposit } from "../support/whole-tenant.ts";
import { depositAttributes, otherAttributes, payoutAttributes } from "./rows/interface-tables.ts";

/*
 * The wire rules on the real service: "Wire rules" of the decisions. Rules for every route are tested
 * on every route of `/openapi.json`.
 */

const database = useDatabase();
const conventions = useConventions(database);
const { api, get, create, describedPaths, readable, jsonApiPaths } = conventions;
const lenient = useWholeApi(database, { http: { strict_media_types: false } }, api.clock);

const jsonApi = "application/vnd.api+json";

/** A deposit's document as raw text. */
const written = (attributes: string, wallet: string, currency?: string) =>
  `{"data":{"type":"deposit","attributes":{${attributes}},"relationships":{"wallet":{"data":{"type":"wallet","id":${wallet}}}${
    currency === undefined ? "" : `,"currency":{"data":{"type":"currency","id":${currency}}}`
  }}}}`;

/** A body without the members that differ between requests. */
const steady = (text: string): string =>
  text
    .replaceAll(/\b(sluice_|process_|nodejs_)\S+ .*/g, "")
    .replaceAll(/"(expired_at|created_at|\w+_seconds|bid|ask|from|to)":[^,}]+/g, "");

/** Attributes that depend on whether followers reached the tip within the last two minutes. */
const readsFollowers = (path: string): boolean => path.startsWith("/chain/");

/** Marks them as just having reached it, so that the two minutes do not end between two requests. */
async function catchUp(): Promise<void> {
  for (const chain of ["ETH", "BTC"]) await (await announceChain(api.world(), chain)).catchUp();
}

describe("paths and methods", () => {
  it("answer with and without a trailing slash and with doubled slashes, without a redirect", async () => {
    for (const { concrete, path } of readable()) {
      const plain = concrete.replace(/\/$/, "");
      const spellings = [
        plain,
        `${plain}/`,
        `/${plain}//`,
        plain.replaceAll("/", "//"),
        `${plain}/?`,
      ];
      if (readsFollowers(path)) await catchUp();
      const one = await get(`${plain}/`);
      // A second begins between any two requests: that it does not matter is shown by one that always does.
      api.clock.advance(1);
      const answers = await Promise.all(spellings.map((spelling) => get(spelling)));
      const isSteady = path !== "/metrics";
      for (const answer of answers) {
        expect([path, answer.status]).toEqual([path, 200]);
        if (isSteady) expect(steady(answer.text)).toBe(steady(one.text));
      }
    }
    for (const path of ["/deposit", "//deposit//"]) {
      const sent = {
        method: "POST",
        path,
        as: conventions.stage().shop.token,
        body: newDeposit(conventions.stage().shop.wallets.ether),
      };
      expect((await api.ask(sent)).status).toBe(201);
    }
  });

  it("answer HEAD like GET without a body", async () => {
    for (const { concrete, path } of readable()) {
      if (readsFollowers(path)) await catchUp();
      const [head, full] = [
        await api.ask({ method: "HEAD", path: concrete, as: conventions.stage().shop.token }),
        await get(concrete),
      ];
      expect([path, head.status, head.text, head.headers["content-type"]]).toEqual([
        path,
        full.status,
        "",
        full.headers["content-type"],
      ]);
    }
  });

  it("answer an undocumented method with 405 and the documented ones in Allow", async () => {
    for (const { concrete, path, methods } of describedPaths())
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        if (methods.includes(method)) continue;
        const answer = await api.ask({
          method,
          path: concrete,
          as: conventions.stage().shop.token,
        });
        expect([path, method, describeResponse(answer)]).toEqual([
          path,
          method,
          "405 method_not_allowed",
        ]);
        const allowed = new Set([
          ...methods,
          "OPTIONS",
          ...(methods.includes("GET") ? ["HEAD"] : []),
        ]);
        expect(new Set(answer.headers["allow"]?.split(", "))).toEqual(allowed);
      }
  });

  it("are all in the OpenAPI 3.1 description", async () => {
    const { valid, errors } = await new Validator().validate(api.description());
    expect([valid, errors ?? []]).toEqual([true, []]);
    const served = api.server().printRoutes({ commonPrefix: false, includeHooks: false });
    const paths = pathsOf(served);
    const described = describedPaths().map(({ path }) =>
      path.replace(/(.)\/$/, "$1").replaceAll(/\{\w+\}/g, "{}"),
    );
    const ofApi = paths.filter((path) => !forBrowsers.test(path));
    expect(new Set(ofApi)).toEqual(new Set(described));
  });
});

/** Browser pages and their requests are not part of the API. */
const forBrowsers = /^\/$|^\/(?:ui|pay|link|unsubscribe)(?:\/|\*|$)|^\/embed\.js$|^\/docs\/./;

/** The paths of a tree drawing with four characters per level. */
function pathsOf(tree: string): readonly string[] {
  const above: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const [, indent = "", segment = "", methods] = /^(.*?)── (\S+)( \(.*)?$/.exec(line) ?? [];
    if (segment === "") return [];
    const depth = Math.floor(indent.length / 4);
    above.splice(depth, above.length, segment);
    const path = above.join("").replaceAll(/:\w+/g, "{}");
    return methods === undefined ? [] : [path];
  });
}

describe("requests", () => {
  it("may contain ids as texts or numbers", async () => {
    const { wallets } = conventions.stage().shop;
    for (const id of [wallets.merchant, `"${wallets.merchant}"`])
      for (const currency of ["1002", '"1002"']) {
        const { one, status } = await create(written("", id, currency));
        expect([status, one.relationships["wallet"], one.relationships["currency"]]).toEqual([
          201,
          { data: { type: "wallet", id: wallets.merchant } },
          { data: { type: "currency", id: "1002" } },
        ]);
      }
  });

  it.each([
    ["0.1", "0.100000000000000000"],
    ["0.100000000000000001", "0.100000000000000001"],
    ["9007199254740993.000000000000000001", "9007199254740993.000000000000000001"],
    ["123456789012345678901234567890", "123456789012345678901234567890.000000000000000000"],
    ["1e-7", "0.000000100000000000"],
    ["1.5E+3", "1500.000000000000000000"],
    ['"0.3"', "0.300000000000000000"],
    ['"1.500000000000000000000"', "1.500000000000000000"],
    ["0.1000000000000000001", null],
    ['"0.0000000000000000001"', null],
    ["1e-19", null],
    ["-0", null],
    ['"1,5"', null],
    ['"0x10"', null],
    ["1e400", null],
  ])("may contain the amount %s, which is parsed from its text as %s", async (source, amount) => {
    const answer = await create(
      written(`"target_amount_requested":${source}`, conventions.stage().etherMerchant, "1002"),
    );
    if (amount === null)
      expect(describeResponse(answer)).toBe("400 1007 /data/attributes/target_amount_requested");
    else
      expect([answer.status, answer.one.attributes["target_amount_requested"]]).toEqual([
        201,
        amount,
      ]);
  });

  it("treat empty texts and nulls as absent, and ignore unknown members", async () => {
    const given = {
      label: "",
      tracking_id: "",
      callback_url: "",
      address_type: "",
      payment_page_redirect_url: "",
      payment_page_button_text: "",
      inaccuracy: "",
      target_amount_requested: "",
      time_limit: "",
      confirmations_needed: "",
      status: "",
      help_email: "",
      travel_rule_info: "",
    };
    const empty = Object.fromEntries(Object.keys(given).map((name) => [name, null]));
    const creations = [
      given,
      empty,
      { color: "red", payment_page: "https://a.example/", wallet: "5", id: "7" },
    ];
    const plain = (await create(newDeposit(conventions.stage().shop.wallets.ether))).one.attributes;
    for (const attributes of creations) {
      const body = {
        ...newDeposit(conventions.stage().shop.wallets.ether, attributes),
        jsonapi: { version: "1.1" },
        meta: 5,
        included: [],
      };
      const { one } = await create(body);
      const differing = ["address", "destination", "created_at", "payment_page"];
      for (const name of depositAttributes)
        if (!differing.includes(name))
          expect([name, one.attributes[name]]).toEqual([name, plain[name]]);
      expect(one.attributes["payment_page"]).not.toBe("https://a.example/");
    }
  });

  it("accept travel-rule data in the lenient forms, and show it nowhere", async () => {
    const name = {
      nameIdentifier: [{ primaryIdentifier: "Hidden", secondaryIdentifier: "Payer", x: 1 }],
      y: 2,
    };
    const geographicAddress = [
      { country: "ch", addressLine: "Secret Street 1", addressType: "HOME", z: [] },
    ];
    const travel_rule_info = {
      beneficiary: { beneficiaryPersons: [{ naturalPerson: { name, geographicAddress } }] },
    };
    const answer = await create(
      newDeposit(conventions.stage().shop.wallets.ether, { travel_rule_info }),
    );
    expect([answer.status, answer.text.includes("Hidden")]).toEqual([201, false]);
    expect((await get(`/deposit/${answer.one.id}/`)).text).not.toContain("Secret");
  });

  it("ignore a body and an idempotency-key on GET and OPTIONS, and return the first deposit for a repeated key", async () => {
    for (const method of ["GET", "OPTIONS"])
      for (const type of [jsonApi, "multipart/form-data; boundary=x", "nonsense"]) {
        const sent = {
          method,
          path: "/deposit/",
          as: conventions.stage().shop.token,
          body: "{",
          headers: { "content-type": type, "idempotency-key": "x" },
        };
        // Longer than any body that is read, too.
        for (const body of [sent.body, "x".repeat(200_000)])
          expect([method, type, (await api.ask({ ...sent, body })).status]).toEqual([
            method,
            type,
            200,
          ]);
      }
    const key = { "idempotency-key": "c9bf9e57-1685-4c89-bafb-ff5af830be8a" };
    const body = newDeposit(conventions.stage().shop.wallets.ether);
    const [first, second] = [await create(body, key), await create(body, key)];
    expect([first.status, second.status, second.one.id]).toEqual([201, 200, first.one.id]);
  });

  it("accept media type profiles, and reject other parameters unless a setting allows them", async () => {
    const profile = `${jsonApi}; profile="https://a.example/"`;
    const charset = `${jsonApi}; charset=utf-8`;
    const body = JSON.stringify(newDeposit(conventions.stage().shop.wallets.ether));
    for (const accept of [
      jsonApi,
      "*/*",
      "application/*",
      profile,
      `text/html, ${jsonApi};q=0.1`,
      `${charset}, ${jsonApi}`,
      "",
      undefined,
    ])
      expect([
        accept,
        (await get("/deposit/", conventions.stage().shop.token, { accept })).status,
      ]).toEqual([accept, 200]);
    for (const type of [profile, jsonApi.toUpperCase()])
      expect((await create(body, { "content-type": type })).status).toBe(201);
    const headers = { "content-type": charset, accept: charset };
    expect(describeResponse(await create(body, headers))).toBe("406 not_acceptable accept");
    const sent = {
      method: "POST",
      path: "/deposit/",
      as: conventions.stage().shop.token,
      body,
      headers,
    };
    const answer = await lenient.ask(sent);
    expect([answer.status, answer.headers["content-type"]]).toEqual([201, jsonApi]);
  });
});

describe("responses", () => {
  const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

  it("have every attribute, the exact media type, and one format for times and amounts", async () => {
    const tables: Readonly<Record<string, readonly string[]>> = {
      deposit: depositAttributes,
      payout: payoutAttributes,
      ...otherAttributes,
    };
    const seen = new Set<string>();
    for (const { concrete } of jsonApiPaths().filter(({ methods }) => methods.includes("GET"))) {
      const answer = await get(concrete);
      expect(answer.headers["content-type"]).toBe(jsonApi);
      const resources: readonly SeenResource[] = Array.isArray(answer.one)
        ? answer.resources
        : [answer.one];
      for (const { type, attributes } of resources) {
        seen.add(type);
        expect([type, (tables[type] ?? []).filter((name) => !(name in attributes))]).toEqual([
          type,
          [],
        ]);
        for (const [name, value] of Object.entries(attributes))
          if (/_at$/.test(name) && value !== null)
            expect([name, value]).toEqual([name, expect.stringMatching(timestamp)]);
      }
    }
    for (const type of Object.keys(tables)) expect(seen).toContain(type);
    const { attributes } = (await get(`/deposit/${conventions.stage().ids["deposit"] ?? ""}/`)).one;
    // The human status is ours, next to the interface's number.
    expect(Object.keys(attributes).sort()).toEqual(
      [...depositAttributes, "state", "description"].sort(),
    );
    expect(attributes).toMatchObject({
      target_paid: "1.500000000000000000",
      target_paid_pending: "0.000000000000000000",
      assets: { ETH: "1.500000000000000000" },
    });
    const payout = (await get(`/payout/${conventions.stage().ids["payout"] ?? ""}/`)).one;
    expect(Object.keys(payout.attributes).sort()).toEqual([...payoutAttributes, "state"].sort());
    expect(payout.attributes).toMatchObject({
      amount: "0.001000000000000000",
      fee_amount: "0.000050000000000000",
      exp: 18,
      travel_rule_info: receiver,
      rate_requested: "1",
    });
  });

  it("carry a request id, which each error repeats", async () => {
    const known = new Set<string>();
    for (const path of ["/deposit/", "/deposit/x/", "/nothing/", "/ping"]) {
      const { headers, status, errors } = await get(path, conventions.stage().shop.token, {
        "x-request-id": "mine",
      });
      const id = headers["x-request-id"] ?? "";
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      if (status >= 400) expect(errors.map((error) => (error as { id?: string }).id)).toEqual([id]);
      known.add(id);
    }
    expect(known.size).toBe(4);
  });

  it("allow cross-origin calls from configured origins only", async () => {
    const preflight = (from: string, path: string) =>
      api.ask({
        method: "OPTIONS",
        path,
        headers: { origin: from, "access-control-request-method": "POST" },
      });
    for (const { concrete } of describedPaths()) {
      const [ours, other] = [
        await preflight(origin, concrete),
        await preflight("https://evil.example", concrete),
      ];
      expect([ours.status, ours.headers["access-control-allow-origin"]]).toEqual([204, origin]);
      expect(other.headers["access-control-allow-origin"]).toBeUndefined();
      expect(ours.headers["access-control-allow-headers"]).toMatch(
        /authorization.*content-type.*idempotency-key/i,
      );
    }
    const answer = await get("/deposit/", conventions.stage().shop.token, { origin });
    expect([answer.headers["access-control-allow-origin"], answer.headers["vary"]]).toEqual([
      origin,
      expect.stringContaining("Origin"),
    ]);
  });
});
