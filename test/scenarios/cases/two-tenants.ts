import { expect } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import { eventually } from "../../support/eventually.ts";
import type { Client } from "../support/api-client.ts";
import { newEvmAddress, openCashier } from "../support/cashier.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { addressOf, type Shop, withShop } from "../support/shop.ts";
import type { TestSite } from "../support/test-site.ts";

/** What belongs to no account and is visible to all. */
const isPublic = (path: string): boolean => /^\/(?:currency|rates)\//.test(path);

/** Refused for every account that does not operate the deployment, whether the transfer exists or not. */
const isForOperators = (path: string): boolean =>
  /^\/transfer\/\d+\/(?:release|return)\//.test(path);

/** Roles and allowed receivers: tested beside their routes and, for all roles, in `test/api/granted-wallets.test.ts`. */
const ofPeople = new Set([
  "session",
  "totp",
  "passkey",
  "member",
  "invitation",
  "protection",
  "protection-change",
  "credential",
  "beneficiary",
  "webhook-endpoint",
  "push-subscription",
  "audit-entry",
]);

/** Tested with another account beside their routes: payment-link.test.ts and payout-batch.test.ts. */
const isolatedElsewhere = new Set(["payment-link", "payout-batch"]);

/** The deployment's, for its operators alone: tested beside their routes. */
const ofOperators = new Set(["unattributed", "travel-rule-threshold"]);

/** Everything that has an id or is listed exists only for its own account. */
export function twoTenants(scenario: DefineScenario): void {
  scenario("shows one account's objects to no other account on any route", ["ETH"], (site) =>
    withShop(site, async (shop) => {
      const wallet = await shop.wallet("enterprise", "ETH");
      const deposit = await shop.deposit(wallet, { tracking_id: "a secret of ours" });
      await site.onChain("ETH", async (chain) => {
        await chain.pay("ETH", addressOf(deposit), "0.1");
        await chain.mine(13);
      });
      await shop.expectCallbackCount(deposit, 1);
      const clerk = openCashier(site, shop, site.clerk);
      const payout = await clerk.pay({
        wallet,
        alpha: "ETH",
        amount: "0.01",
        address: newEvmAddress(),
        attributes: { tracking_id: "a secret of ours too" },
      });
      const ids: Readonly<Record<string, string>> = {
        wallet,
        deposit: deposit.id,
        transfer: await newest(
          site.owner,
          `/transfer/?filter[op_type]=1&filter[op_id]=${deposit.id}`,
        ),
        callback: await newest(site.owner, `/callback/?filter[deposit]=${deposit.id}`),
        event: await newest(
          site.owner,
          `/event/?filter[object_type]=deposit&filter[object_id]=${deposit.id}`,
        ),
        payout: payout.id,
      };

      const requests = [];
      for (const { method, path } of operationsOf(site)) {
        const [, kind = ""] = path.split("/");
        if (path.includes("{id}")) {
          if (ofPeople.has(kind) || ofOperators.has(kind) || isolatedElsewhere.has(kind)) continue;
          const id = ids[kind];
          if (id === undefined)
            throw new Error(`this scenario has no ${kind} to request ${path} for`);
          await expectHidden(site, method, path.replace("{id}", id), kind, id);
        } else if (method === "GET") {
          const { text } = await site.other.ask("GET", `${path}?page[size]=100`);
          expect(text).not.toContain("a secret of ours");
          expect(text).not.toContain(addressOf(deposit));
        }
        requests.push(`${method} ${path}`);
      }
      expect(requests.length).toBeGreaterThan(15);
      await expectNoUse(site, shop, wallet);
      await clerk.cancel(payout);
    }),
  );
}

async function newest(client: Client, path: string): Promise<string> {
  const [one] = await eventually(
    () => client.list(path),
    (list) => list.length > 0,
  );
  return present(one, path).id;
}

/** Every operation that requires a token. */
function operationsOf({ description }: TestSite): readonly { method: string; path: string }[] {
  return Object.entries(description["paths"] as Readonly<Record<string, JsonObject>>).flatMap(
    ([path, operations]) =>
      ["get", "post", "patch", "delete"]
        .filter((verb) => {
          const operation = operations[verb] as JsonObject | undefined;
          return operation !== undefined && JSON.stringify(operation["security"]) !== "[]";
        })
        .map((verb) => ({ method: verb.toUpperCase(), path }))
        .filter(() => !isPublic(path)),
  );
}

async function expectHidden(
  site: TestSite,
  method: string,
  path: string,
  kind: string,
  id: string,
): Promise<void> {
  const body =
    method === "PATCH"
      ? { data: { type: kind, id, attributes: { label: "stolen" } } }
      : path.endsWith("/calculate/")
        ? {
            data: { type: "payout-calculation", attributes: { action: "refund", to_address: "x" } },
          }
        : { data: { type: kind, attributes: { action: "accept" } } };
  const key = { "idempotency-key": systemRandom.uuid() };
  const answer = await site.other.ask(method, path, method === "GET" ? undefined : body, key);
  const status = isForOperators(path) ? 403 : 404;
  expect([method, path, answer.status]).toEqual([method, path, status]);
  expect(answer.text).not.toContain("a secret of ours");
}

/** It cannot be used either: another account's wallet is treated like one that does not exist. */
async function expectNoUse(site: TestSite, shop: Shop, wallet: string): Promise<void> {
  const answers = await Promise.all(
    [wallet, "99999999"].map((id) =>
      site.other.ask("POST", "/deposit/", {
        data: {
          type: "deposit",
          attributes: {},
          relationships: { wallet: { data: { type: "wallet", id } } },
        },
      }),
    ),
  );
  for (const { status, codes } of answers) expect([status, codes]).toEqual([400, ["1007"]]);
  const other = openCashier(site, shop, { client: site.other, login: site.deployment.other });
  for (const id of [wallet, "99999999"]) {
    const order = { wallet: id, alpha: "ETH", amount: "0.01", address: newEvmAddress() };
    const attributes = { fee_amount: "0.0001" };
    const { status, codes } = await other.ask({ ...order, attributes });
    expect([status, codes]).toEqual([400, ["1007"]]);
    await expect(other.calculate(order)).rejects.toThrow("answered 403");
  }
}
