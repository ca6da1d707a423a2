import { readDepositRow } from "../../src/deposits/deposit-list.store.ts";
import { createDepositSink } from "../../src/deposits/payments/block-sink.ts";
import { screenTransfers } from "../../src/deposits/screening/screen-transfers.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject, JsonValue } from "../../src/platform/kernel/json.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { ApiResponse } from "./api-server.ts";
import { announceChain, btc, eth, payment, usd } from "./deposit-world.ts";
import { takenFee } from "./fee-node.ts";
import { fund, type Members, newPayoutDocument } from "./payout-world.ts";
import type { WholeApi } from "./whole-api.ts";
import { payAll } from "./whole-payments.ts";
import { arrangeDepositOf, newDeposit, type Tenant } from "./whole-tenant.ts";

/** The document of an external payout of ether with an accepted fee; undefined omits a member. */
export function newPayout(
  wallet: JsonValue,
  attributes: Members = {},
  relationships: Members = {},
): JsonObject {
  return newPayoutDocument(
    wallet,
    { amount: "0.001", fee_amount: takenFee, ...attributes },
    relationships,
  );
}

/** A payout of a wallet to another one of its currency, inside the service. */
export function newInternalPayout(
  wallet: JsonValue,
  target: JsonValue,
  currency: JsonValue,
  attributes: Members = {},
): JsonObject {
  const related = (type: string, id: JsonValue): JsonObject => ({ data: { type, id } });
  return newPayout(
    wallet,
    { address: undefined, fee_amount: undefined, ...attributes },
    { currency: related("currency", currency), target_wallet: related("wallet", target) },
  );
}

/** The document of `POST /payout/calculate/`. */
export function newCalculation(wallet: JsonValue, attributes: JsonObject): JsonObject {
  return {
    data: {
      type: "payout-calculation",
      attributes,
      relationships: {
        wallet: { data: { type: "wallet", id: wallet } },
        currency: { data: { type: "currency", id: "1002" } },
      },
    },
  };
}

/** The document of `POST /payout/requirements/`. */
export function newRequirements(wallet: JsonValue, amount: JsonValue): JsonObject {
  return {
    data: {
      type: "payout-requirements",
      attributes: { amount },
      relationships: {
        wallet: { data: { type: "wallet", id: wallet } },
        currency: { data: { type: "currency", id: "1002" } },
      },
    },
  };
}

/** Default: a key of its own. */
export function postPayout(
  api: WholeApi,
  as: string,
  body: JsonObject,
  key: string = systemRandom.uuid(),
): Promise<ApiResponse> {
  const headers = { "idempotency-key": key };
  return api.ask({ method: "POST", path: "/payout/", as, body, headers });
}

/** Creates a payout over HTTP; returns its id. */
export async function arrangePayoutOf(
  api: WholeApi,
  as: string,
  body: JsonObject,
): Promise<string> {
  const answer = await postPayout(api, as, body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.one.id;
}

/** Credits each paying wallet with more than a test needs. */
export async function fundTenant(api: WholeApi, { accountId, wallets }: Tenant): Promise<void> {
  for (const [walletId, currency] of [
    [wallets.merchant, usd],
    [wallets.ether, eth],
    [wallets.bitcoin, btc],
  ] as const)
    await fund(api.world(), { accountId, walletId, currency }, "1000000");
}

/** Overpaid deposits of ether to the tenant's Merchant wallet. */
export async function arrangeUnresolved(
  api: WholeApi,
  { accountId, token, wallets }: Tenant,
  count: number,
): Promise<readonly string[]> {
  const body = newDeposit(wallets.merchant, { target_amount_requested: "100" }, "1002");
  const created = Array.from({ length: count }, () => arrangeDepositOf(api, token, body));
  const ids = await Promise.all(created);
  await payAll(
    api,
    "ETH",
    ids.map((id) => ({ accountId, id, amount: "0.07" })),
  );
  return ids;
}

/** Payments to the tenant's ether wallet that screening blocked, from an address that can receive refunds. */
export async function arrangeBlocked(
  api: WholeApi,
  { accountId, token, wallets }: Tenant,
  count: number,
): Promise<readonly string[]> {
  const world = api.world();
  const context = { ...world.context, isScreened: true };
  const announcing = await announceChain({ ...world, sink: createDepositSink(context) }, "ETH");
  const ids = await Promise.all(
    Array.from({ length: count }, () => arrangeDepositOf(api, token, newDeposit(wallets.ether))),
  );
  const hits = ids.map(async (id) => {
    const deposit = present(await readDepositRow(api.database.db, accountId, id), `deposit ${id}`);
    const hit = payment({ deposit, amount: "0.5" });
    return { ...hit, senders: { ...hit.senders, addresses: [blockedPayer] } };
  });
  await announcing.append(await Promise.all(hits));
  await announcing.grow(3);
  const provider = {
    name: "test",
    screen: () => Promise.resolve({ risk: 91, verdict: "red" as const }),
  };
  await screenTransfers({ ...context, provider }, new AbortController().signal);
  const rows = await api.database.sql<{ id: string }>(
    "select id from transfer where deposit_id = any($1::bigint[]) and disposition = 'blocked' order by id",
    [ids],
  );
  if (rows.length !== count) throw new Error(`${rows.length} of ${count} payments are blocked`);
  return rows.map(({ id }) => id);
}

const blockedPayer = "0x52908400098527886E0F7030069857D2E4169EE7";
