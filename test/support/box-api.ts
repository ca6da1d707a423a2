import {
  actionRoute,
  createRoute,
  getRoute,
  listRoute,
  patchRoute,
  publicRoute,
  type Route,
} from "../../src/http/server/route.ts";
import type { ServerOptions } from "../../src/http/server/server-options.ts";
import type { Executor } from "../../src/platform/db/database.ts";
import { assembledStatement, fetchPage } from "../../src/platform/db/list-query.ts";
import type { Instant } from "../../src/platform/kernel/clock.ts";
import { mapPage } from "../../src/platform/kernel/list-query.ts";
import { reject } from "../../src/platform/kernel/rejection.ts";
import { toOne } from "../../src/platform/kernel/resource-object.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import { defineDocument } from "../../src/platform/resources/define-document.ts";
import type { ResourceOf } from "../../src/platform/resources/define-resource.ts";
import { type ApiResponse, apiServer, type TestApi } from "./api-server.ts";
import {
  type BoxRow,
  box,
  boxList,
  boxPatch,
  currency,
  currencyLoader,
  newBox,
  quote,
  renderBox,
} from "./box-definitions.ts";
import type { TestDatabase } from "./database.ts";

/** The last document as read. */
type Seen = { input: Readonly<Record<string, unknown>> };

/** The HTTP server with the box's routes, one of every kind. */
export function boxApi(
  database: TestDatabase,
  options: Partial<ServerOptions> = {},
): TestApi & { readonly seen: Seen } {
  const seen: Seen = { input: {} };
  return {
    ...apiServer(boxRoutes(database.db, seen), { loaders: [currencyLoader], ...options }),
    seen,
  };
}

/** Code and place of each error: `[["1007", "/data/attributes/label"]]`. */
export function errorCodes(answer: ApiResponse): string[][] {
  return answer.errors.map(({ code, source }) => [code, ...Object.values(source ?? {})]);
}

export const toCurrency = { currency: { data: { type: "currency", id: "1002" } } };

function boxRoutes(db: Executor, seen: Seen): readonly Route[] {
  const scope = (accountId: string) => [
    (bind: (value: string) => string) => `w.account_id = ${bind(accountId)}`,
  ];
  const find = async (accountId: string, id: string): Promise<ResourceOf<typeof box> | null> => {
    const [row] = await db.query(
      assembledStatement<BoxRow>(
        "box.find",
        `select ${boxList.select} from wallet w where w.account_id = $1 and w.id = $2`,
      ),
      [accountId, id],
    );
    return row === undefined ? null : renderBox(row);
  };
  return [
    listRoute({
      path: "/box/",
      summary: "List boxes",
      resource: box,
      list: async ({ principal }, query) =>
        mapPage(await fetchPage<BoxRow>(db, boxList, scope(principal.accountId), query), renderBox),
    }),
    getRoute({
      path: "/box/{id}/",
      summary: "Get a box",
      resource: box,
      find: ({ principal, id }) => find(principal.accountId, id),
    }),
    createRoute({
      path: "/box/",
      summary: "Create a box",
      resource: box,
      document: newBox,
      custom: () =>
        Promise.resolve({
          address_masks: { "1002": [{ address_type: null, mask: null, is_default: true }] },
        }),
      create: (_request, input) => {
        seen.input = input;
        return Promise.resolve(
          renderBox({
            id: "77",
            label: input.label ?? "",
            status: 3,
            needs_activation: false,
            currency: input.currency,
            created_at: 0 as Instant,
          }),
        );
      },
    }),
    patchRoute({
      path: "/box/{id}/",
      summary: "Change a box",
      resource: box,
      document: boxPatch,
      patch: async ({ principal, id }, input) => {
        seen.input = input;
        return find(principal.accountId, id);
      },
    }),
    actionRoute({
      path: "/box/{id}/close/",
      summary: "Close a box",
      resource: box,
      act: ({ principal, id }) => find(principal.accountId, id),
    }),
    actionRoute({
      path: "/box/quote/",
      summary: "Quote",
      resource: currency,
      document: quote,
      throttle: "calculate",
      act: (_request, input) =>
        Promise.resolve({
          type: "currency",
          id: input.currency,
          attributes: { alpha: input.amount },
          relationships: { parent: toOne("currency", null) },
        }),
    }),
    createRoute({
      path: "/keyed/",
      summary: "Create with a key",
      resource: currency,
      document: quote,
      requestHeaders: [{ name: "idempotency-key", description: "Any text.", required: true }],
      beforeBody: ({ header }) => {
        if (header("idempotency-key") === null)
          reject("idempotencyKeyMissing", "Send the header.", { header: "idempotency-key" });
      },
      create: (_request, input) =>
        Promise.resolve({
          type: "currency",
          id: input.currency,
          attributes: { alpha: input.amount },
          relationships: { parent: toOne("currency", null) },
        }),
    }),
    publicRoute({
      path: "/token/",
      summary: "Log in",
      throttle: "token",
      resource: currency,
      document: defineDocument({
        type: "currency",
        fields: { login: { kind: "String", required: true } },
      }),
      answer: (_context, input) =>
        Promise.resolve({
          data: {
            type: "currency",
            id: "0",
            attributes: { alpha: input.login },
            relationships: { parent: toOne("currency", null) },
          },
          meta: { time: "now" },
        }),
    }),
    getRoute({
      path: "/fail/fee/calculate/",
      summary: "Fail for want of a fee",
      resource: box,
      find: () => reject("feeUnavailable", "No fresh fee quote."),
    }),
    ...["node", "database", "bug"].map((name) =>
      getRoute({
        path: `/fail/${name}/calculate/`,
        summary: `Fail by ${name}`,
        resource: box,
        find: () =>
          Promise.reject<null>(
            name === "bug"
              ? new Error("select secret from vault")
              : new Unavailable(name, "secret detail"),
          ),
      }),
    ),
  ];
}

export async function arrangeBoxes(
  database: TestDatabase,
  count: number,
  accountId = "1",
): Promise<void> {
  await database.sql("delete from wallet");
  await database.sql(
    "insert into account (id, name, webhook_secret_sealed, created_at) values ($1, 'a', '\\x00', $2) on conflict do nothing",
    [accountId, "2026-01-01T00:00:00Z"],
  );
  // Two share each instant, which exercises the tie-breaker.
  await database.sql(
    `insert into wallet (account_id, id, type, currency, label, status, needs_activation, created_at)
     select $1::bigint, n, 2, case n % 2 when 0 then '1002' else '2015' end, 'box ' || n, case when n % 5 = 0 then 1 else 3 end, n = 4,
            timestamptz '2026-01-01T00:00:00Z' + (n / 2) * interval '1 day'
     from generate_series(1, $2::integer) as n`,
    [accountId, count],
  );
}
