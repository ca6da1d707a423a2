import { beforeAll } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { addSeconds } from "../../src/platform/kernel/clock.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import type { ApiResponse } from "./api-server.ts";
import { fillPool } from "./deposit-world.ts";
import { fund } from "./payout-world.ts";
import type { WholeApi } from "./whole-api.ts";
import { newInternalPayout, newPayout, postPayout } from "./whole-payouts.ts";
import {
  arrangeDepositOf,
  arrangeTenant,
  newDeposit,
  newWallet,
  type Tenant,
} from "./whole-tenant.ts";

/*
 * An account with wallets that convert, over the whole API, at prices that a test sets: bids and asks are written where the
 * worker publishes them.
 */

export const ether = "1002" as CurrencyId;
export const dollar = "840" as CurrencyId;
export const usdc = "2014" as CurrencyId;

export type ConversionSite = {
  readonly tenant: () => Tenant;
  /** Publishes bid and ask of market symbols in dollars, visible to every process. */
  readonly quote: (prices: Readonly<Record<string, readonly [string, string]>>) => Promise<void>;
  /** Advances the time while chains stay read; the owner logs in again afterwards. */
  readonly pass: (seconds: number) => Promise<void>;
  /** The owner's access token. */
  readonly token: () => string;
  /** A new wallet of the tenant with this balance. */
  readonly wallet: (type: number, currency: CurrencyId, amount?: string) => Promise<string>;
  /** A wallet's available balance, in units of its currency. */
  readonly available: (walletId: string) => Promise<bigint>;
  /** Pays an amount of a currency to a wallet or a deposit of the service. */
  readonly payWallet: (
    from: string,
    currency: CurrencyId,
    amount: string,
    target: string,
    as?: string,
  ) => Promise<ApiResponse>;
  readonly payDeposit: (from: string, depositId: string, amount: string) => Promise<ApiResponse>;
  /** Pays an amount of ether out on the chain. */
  readonly payOut: (from: string, amount: string, as?: string) => Promise<ApiResponse>;
  /** Creates a deposit of a Merchant wallet that is paid in ether; returns its id. */
  readonly invoice: (
    wallet: string,
    attributes: Readonly<Record<string, string>>,
  ) => Promise<string>;
  readonly post: (path: string, body?: JsonObject, as?: string) => Promise<ApiResponse>;
  readonly get: (path: string, as?: string) => Promise<ApiResponse>;
};

export function useConversions(api: WholeApi): ConversionSite {
  let owner: Tenant | null = null;
  let token = "";
  beforeAll(async () => {
    owner = await arrangeTenant(api);
    token = owner.token;
    await fillPool(api.world(), "evm", "", 100);
  });
  const tenant = (): Tenant => present(owner, "the tenant is there only inside tests");
  const send = (body: JsonObject, as = token): Promise<ApiResponse> => postPayout(api, as, body);
  const related = (type: string, id: string): JsonObject => ({ data: { type, id } });
  return {
    tenant,
    quote: async (prices) => {
      // Longer than a process caches prices.
      api.clock.advance(2);
      const now = api.clock.now();
      await api.database.sql(
        `insert into rate_quote (symbol, bid, ask, sources, created_at, expired_at)
         select symbol, trunc(bid::numeric * 1e18), trunc(ask::numeric * 1e18), 2, $4::timestamptz, $5::timestamptz
         from unnest($1::text[], $2::text[], $3::text[]) as given (symbol, bid, ask)
         on conflict (symbol) do update set bid = excluded.bid, ask = excluded.ask,
           created_at = excluded.created_at, expired_at = excluded.expired_at`,
        [
          Object.keys(prices),
          Object.values(prices).map(([bid]) => bid),
          Object.values(prices).map(([, ask]) => ask),
          formatTimestamp(now),
          formatTimestamp(addSeconds(now, 86_400)),
        ],
      );
    },
    pass: async (seconds) => {
      api.clock.advance(seconds);
      const now = formatTimestamp(api.clock.now());
      await api.database.sql("update chain_cursor set caught_up_at = $1::timestamptz", [now]);
      token = await api.tokenOf(tenant().owner);
    },
    token: () => token,
    wallet: async (type, currency, amount) => {
      const { accountId } = tenant();
      const body = newWallet(type, currency);
      const answer = await api.ask({ method: "POST", path: "/wallet/", as: token, body });
      if (answer.status !== 201) throw new Error(answer.text);
      const walletId = answer.one.id;
      if (amount !== undefined) await fund(api.world(), { accountId, walletId, currency }, amount);
      return walletId;
    },
    available: async (walletId) => {
      const [row] = await api.database.sql<{ available: bigint }>(
        "select available from wallet_balance where wallet_id = $1",
        [walletId],
      );
      return present(row, `wallet ${walletId}`).available;
    },
    payWallet: (from, currency, amount, target, as) =>
      send(newInternalPayout(from, target, currency, { amount }), as),
    payDeposit: async (from, depositId, amount) => {
      const [row] = await api.database.sql<{ page: string; currency: string }>(
        "select payment_page_id as page, currency from deposit where id = $1",
        [depositId],
      );
      const { page, currency } = present(row, `deposit ${depositId}`);
      const attributes = {
        amount,
        target_deposit: page,
        address: undefined,
        fee_amount: undefined,
      };
      return send(newPayout(from, attributes, { currency: related("currency", currency) }));
    },
    payOut: (from, amount, as) => send(newPayout(from, { amount }), as),
    invoice: (wallet, attributes) =>
      arrangeDepositOf(api, token, newDeposit(wallet, attributes, ether)),
    post: (path, body, as = token) =>
      api.ask({ method: "POST", path, as, ...(body === undefined ? {} : { body }) }),
    get: (path, as = token) => api.ask({ method: "GET", path, as }),
  };
}
