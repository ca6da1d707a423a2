import type { Principal } from "../../src/accounts/principal.ts";
import { depositResolveRoutes } from "../../src/http/deposits/deposit-resolve.ts";
import { transferReturnRoutes } from "../../src/http/deposits/transfer-return.ts";
import type { CreatePayoutContext } from "../../src/payouts/create/create-payout.ts";
import type { Payout } from "../../src/payouts/payout.ts";
import { readPayoutRow } from "../../src/payouts/payout-list.store.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { type ApiResponse, apiServer } from "./api-server.ts";
import type { TestDatabase } from "./database.ts";
import { type DepositWorld, ownerOf } from "./deposit-world.ts";
import { type Members, type PayoutWorld, payee, payoutWorld, receiver } from "./payout-world.ts";

export type SendOptions = {
  /** Undefined omits a member. */
  readonly attributes?: Members;
  readonly as?: Principal;
  /** Null sends no header. Default: a new key. */
  readonly key?: string | null;
};

type Owned = { readonly accountId: string; readonly id: string };

/** Refunds over the real routes, decisions and database; the test sets the fees. */
export type PayingBack = {
  readonly payouts: PayoutWorld;
  readonly resolve: (deposit: Owned, options?: SendOptions) => Promise<ApiResponse>;
  readonly returned: (transfer: Owned, options?: SendOptions) => Promise<ApiResponse>;
  /** The payout that a response names. */
  readonly payoutOf: (answer: ApiResponse, accountId: string) => Promise<Payout>;
};

/** Marks an account as operating the deployment. */
export async function operate(
  database: Pick<TestDatabase, "sql">,
  accountId: string,
): Promise<void> {
  await database.sql("update account set is_operator = true where id = $1", [accountId]);
}

export function payingBack(
  world: DepositWorld,
  settings: Partial<CreatePayoutContext> = {},
): PayingBack {
  const payouts = payoutWorld(world, settings);
  const context = { deposits: world.context, payouts: payouts.context };
  const routes = [...depositResolveRoutes(context), ...transferReturnRoutes(context)];
  const api = apiServer(routes, { clock: world.clock });
  const send = (
    path: string,
    type: string,
    accountId: string,
    usual: Members,
    options: SendOptions,
  ) => {
    const { attributes, as, key } = options;
    const members = Object.entries({ ...usual, ...attributes }).filter(
      ([, value]) => value !== undefined,
    );
    return api.ask("POST", path, {
      body: { data: { type, attributes: Object.fromEntries(members) as JsonObject } },
      as: as ?? ownerOf(accountId),
      headers: { "idempotency-key": key === null ? undefined : (key ?? systemRandom.uuid()) },
    });
  };
  const common = { fee_amount: "0.0000000000000002", travel_rule_info: receiver };
  return {
    payouts,
    resolve: ({ accountId, id }, options = {}) =>
      send(
        `/deposit/${id}/resolve/`,
        "deposit",
        accountId,
        { ...common, action: "refund", address: payee },
        options,
      ),
    returned: async ({ accountId, id }, options = {}) => {
      await operate(world.database, accountId);
      const usual = { ...common, reason: "The payer asked for it" };
      return send(`/transfer/${id}/return/`, "transfer", accountId, usual, options);
    },
    payoutOf: async (answer, accountId) => {
      const { meta } = answer.document as { readonly meta?: { readonly payout_id: string } };
      const id = present(meta, `meta of ${answer.text}`).payout_id;
      return present(await readPayoutRow(world.database.db, accountId, id), `payout ${id}`);
    },
  };
}
