import { present } from "../../src/platform/kernel/assert.ts";
import { addSeconds } from "../../src/platform/kernel/clock.ts";
import type { JsonObject, JsonValue } from "../../src/platform/kernel/json.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import type { TestMember } from "./test-accounts.ts";
import type { WholeApi } from "./whole-api.ts";

/** An account with its owner, logged in, and a wallet of each kind. */
export type Tenant = {
  readonly owner: TestMember;
  readonly token: string;
  readonly accountId: string;
  readonly wallets: {
    /** Denominated in dollars. */
    readonly merchant: string;
    readonly ether: string;
    readonly bitcoin: string;
    readonly nft: string;
  };
};

type Members = Readonly<Record<string, JsonValue>>;

export async function arrangeTenant(api: WholeApi): Promise<Tenant> {
  const owner = await api.arrangeMember();
  const token = await api.tokenOf(owner);
  const wallet = async (type: number, currency: string): Promise<string> => {
    const body = newWallet(type, currency);
    const { one, status, text } = await api.ask({
      method: "POST",
      path: "/wallet/",
      as: token,
      body,
    });
    if (status !== 201) throw new Error(text);
    return one.id;
  };
  return {
    owner,
    token,
    accountId: owner.accountId,
    wallets: {
      merchant: await wallet(1, "840"),
      ether: await wallet(2, "1002"),
      bitcoin: await wallet(2, "1000"),
      nft: await wallet(4, "1002"),
    },
  };
}

export function newWallet(
  type: JsonValue,
  currency: JsonValue,
  attributes: Members = {},
): JsonObject {
  return {
    data: {
      type: "wallet",
      attributes: { type, ...attributes },
      relationships: { currency: { data: { type: "currency", id: currency } } },
    },
  };
}

/** The document that creates a deposit; an undefined `currency` omits the relationship. */
export function newDeposit(
  wallet: JsonValue,
  attributes: Members = {},
  currency?: JsonValue,
): JsonObject {
  return {
    data: {
      type: "deposit",
      attributes,
      relationships: {
        wallet: { data: { type: "wallet", id: wallet } },
        ...(currency === undefined
          ? {}
          : { currency: { data: { type: "currency", id: currency } } }),
      },
    },
  };
}

/** Creates a deposit over HTTP; returns its id. */
export async function arrangeDepositOf(
  api: WholeApi,
  as: string,
  body: JsonObject,
): Promise<string> {
  const answer = await api.ask({ method: "POST", path: "/deposit/", as, body });
  if (answer.status !== 201) throw new Error(answer.text);
  return present(answer.one, "a deposit").id;
}

/** Prices of market symbols in dollars, current for a day. */
export async function setPrices(
  { database, clock }: Pick<WholeApi, "database" | "clock">,
  prices: Readonly<Record<string, number>>,
): Promise<void> {
  const now = clock.now();
  await database.sql(
    `insert into rate_quote (symbol, bid, ask, sources, created_at, expired_at)
     select symbol, trunc(price::numeric * 1e18), trunc(price::numeric * 1e18), 3, $3::timestamptz, $4::timestamptz
     from unnest($1::text[], $2::text[]) as given (symbol, price)`,
    [
      Object.keys(prices),
      Object.values(prices).map(String),
      formatTimestamp(now),
      formatTimestamp(addSeconds(now, 86_400)),
    ],
  );
}
