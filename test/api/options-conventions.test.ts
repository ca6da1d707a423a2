import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/platform/kernel/json.ts";
import { useConventions } from "../support/conventions-site.ts";
import { useDatabase } from "../support/database.ts";
import { payee } from "../support/payout-world.ts";
import {
  depositFields,
  depositFilters,
  depositStateFilter,
  payoutFields,
  payoutFilters,
  payoutStateFilter,
} from "./rows/interface-tables.ts";

/* The interface's rules for OPTIONS, tested on every path of `/openapi.json`. */

const database = useDatabase();
const conventions = useConventions(database);
const { api, describedPaths, jsonApiPaths } = conventions;

const jsonApi = "application/vnd.api+json";

describe("OPTIONS", () => {
  const options = (path: string) =>
    api.ask({ method: "OPTIONS", path, as: conventions.stage().shop.token });

  it("describes media types, methods and actions of every path", async () => {
    for (const { concrete, path, methods } of jsonApiPaths()) {
      const { document, status } = await options(concrete);
      const data = document["data"] as Record<string, JsonValue>;
      expect([path, status, data["renders"], data["parses"]]).toEqual([
        path,
        200,
        [jsonApi],
        expect.arrayContaining([jsonApi, "multipart/form-data"]),
      ]);
      const served = new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : [])]);
      expect([path, new Set(data["allowed_methods"] as string[])]).toEqual([path, served]);
    }
    for (const { concrete, methods } of describedPaths().filter(
      (one) => !one.methods.includes("OPTIONS"),
    )) {
      const { status, headers } = await options(concrete);
      expect([status, headers["allow"]]).toEqual([204, `${methods.join()}, HEAD, OPTIONS`]);
    }
  });

  it.each([
    ["/deposit/", { ...depositFilters, state: depositStateFilter }, depositFields],
    ["/payout/", { ...payoutFilters, state: payoutStateFilter }, payoutFields],
  ] as const)(
    "of %s lists the interface's methods, filters and fields, and filter[state], exactly",
    async (path, filters, expected) => {
      const { document } = await options(path);
      const data = document["data"] as {
        allowed_methods: string[];
        actions: Record<string, Record<string, JsonObject>>;
      };
      expect(data.allowed_methods).toEqual(["GET", "POST", "HEAD", "OPTIONS"]);
      expect(Object.keys(data.actions)).toEqual(["GET", "POST"]);
      expect(data.actions["GET"]).toEqual(filters);
      const fields = data.actions["POST"] ?? {};
      for (const [name, { label }] of Object.entries(fields))
        expect([name, typeof label]).toEqual([name, "string"]);
      const labeled = Object.entries(expected).map(([name, rest]) => [
        name,
        { ...rest, label: fields[name]?.["label"] },
      ]);
      expect(fields).toEqual(Object.fromEntries(labeled));
    },
  );

  it("describes the address formats of payable currencies for /payout/", async () => {
    const { document } = await options("/payout/");
    const { custom } = document["data"] as { custom: { POST: { address_masks: JsonObject } } };
    const masks = custom.POST.address_masks as Record<string, readonly JsonObject[]>;
    expect(Object.keys(masks)).toEqual(expect.arrayContaining(["1000", "1002", "2014", "2015"]));
    for (const [currency, types] of Object.entries(masks)) {
      expect([currency, types.filter((type) => type["is_default"] === true).length]).toEqual([
        currency,
        1,
      ]);
      for (const type of types)
        expect(Object.keys(type).sort()).toEqual(["address_type", "is_default", "mask"]);
    }
    expect(payee).toMatch(new RegExp((masks["1002"]?.[0]?.["mask"] as string[])[0] ?? "^$"));
  });
});
