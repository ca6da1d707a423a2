import { expect } from "vitest";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { startReceiver } from "../../support/callback-receiver.ts";
import type { Client, Resource } from "./api-client.ts";
import { type CallbackSummary, hasAll, readCallbacks, settled } from "./callbacks.ts";
import { currencyOf, type TestSite } from "./test-site.ts";

const walletTypes = { merchant: 1, enterprise: 2, custody: 3, swap: 5 } as const;
export const depositStatus = { created: 2, paid: 3, canceled: 4, unresolved: 5 } as const;

/** A merchant: wallets, deposits that call back the merchant's server, and the merchant's books. */
export type Shop = {
  readonly client: Client;
  readonly receiver: Awaited<ReturnType<typeof startReceiver>>;
  /** A new wallet; resolves with its id. */
  readonly wallet: (type: keyof typeof walletTypes, alpha: string) => Promise<string>;
  readonly deposit: (wallet: string, attributes?: JsonObject, payIn?: string) => Promise<Resource>;
  readonly cancel: (deposit: Resource) => Promise<Resource>;
  /** Accepts the payments of an Unresolved deposit. */
  readonly resolve: (deposit: Resource) => Promise<Resource>;
  readonly waitSeconds: (seconds: number) => Promise<void>;
  readonly read: (deposit: Resource) => Promise<JsonObject>;
  /** Attributes of the deposit's transfers, oldest first. */
  readonly transfers: (deposit: Resource) => Promise<readonly JsonObject[]>;
  readonly balance: (wallet: string) => Promise<{ confirmed: unknown; pending: unknown }>;
  /** Callbacks of the deposit in the order of arrival, each verified by both signatures. */
  readonly callbacks: (deposit: Resource) => Promise<readonly CallbackSummary[]>;
  /** Waits until the callbacks are exactly these, in this order. */
  readonly expectCallbacks: (
    deposit: Resource,
    callbacks: readonly CallbackSummary[],
  ) => Promise<void>;
  /** Waits until there are this many callbacks, whatever their content. */
  readonly expectCallbackCount: (deposit: Resource, times: number) => Promise<void>;
  /** Expects that no callback was created until now: they are written together with what they report. */
  readonly expectNoCallbacks: (deposit: Resource) => Promise<void>;
  /** Waits until the deposit has one transfer with these attributes. */
  readonly expectTransfer: (deposit: Resource, attributes: JsonObject) => Promise<void>;
  /** Waits until the deposit has these attributes. */
  readonly expectDeposit: (deposit: Resource, attributes: JsonObject) => Promise<void>;
  /** Waits until the wallet has this balance, in its own currency. */
  readonly expectBalance: (wallet: string, confirmed: string, pending: string) => Promise<void>;
};

/** Opens a shop in the owner's account for one scenario. */
export async function withShop<Result>(
  site: TestSite,
  scenario: (shop: Shop) => Promise<Result>,
): Promise<Result> {
  const receiver = await startReceiver();
  try {
    return await scenario(openShop(site, receiver));
  } finally {
    await receiver.close();
  }
}

function openShop(site: TestSite, receiver: Shop["receiver"]): Shop {
  const { owner: client, deployment } = site;
  const { webhookSecret, ...credential } = deployment.owner;

  const read: Shop["read"] = async ({ id }) => (await client.get(`/deposit/${id}/`)).attributes;
  const transfers: Shop["transfers"] = async ({ id }) => {
    const list = await client.list(`/transfer/?filter[op_id]=${id}&sort=id&page[size]=100`);
    // A payout may have the same id.
    return list
      .map(({ attributes }) => attributes)
      .filter(({ op_type }) => op_type === 1 || op_type === 15);
  };
  const balance: Shop["balance"] = async (wallet) => {
    const { attributes } = await client.get(`/wallet/${wallet}/`);
    return { confirmed: attributes["balance_confirmed"], pending: attributes["balance_pending"] };
  };
  const callbacks: Shop["callbacks"] = (deposit) =>
    readCallbacks(receiver, deposit, { credential, webhookSecret }, site.checkCallback);

  return {
    client,
    receiver,
    read,
    balance,
    callbacks,
    wallet: async (type, alpha) => {
      const currency = { data: { type: "currency", id: currencyOf(alpha).id as string } };
      const created = await client.post("/wallet/", {
        data: {
          type: "wallet",
          attributes: { type: walletTypes[type] },
          relationships: { currency },
        },
      });
      return created.id;
    },
    deposit: (wallet, attributes = {}, payIn) =>
      client.post("/deposit/", {
        data: {
          type: "deposit",
          attributes: { callback_url: receiver.url, ...attributes },
          relationships: {
            wallet: { data: { type: "wallet", id: wallet } },
            ...(payIn === undefined
              ? {}
              : { currency: { data: { type: "currency", id: currencyOf(payIn).id as string } } }),
          },
        },
      }),
    cancel: ({ id }) => client.post(`/deposit/${id}/cancel/`),
    resolve: ({ id }) =>
      client.post(`/deposit/${id}/resolve/`, {
        data: { type: "deposit", attributes: { action: "accept" } },
      }),
    waitSeconds: (seconds) => systemClock.sleep(seconds * 1000),
    transfers,
    expectTransfer: async (deposit, attributes) => {
      const last = await settled(
        () => transfers(deposit),
        ([one, ...others]) => one !== undefined && hasAll(one, attributes) && others.length === 0,
      );
      expect(last).toMatchObject([attributes]);
    },
    expectNoCallbacks: async (deposit) => {
      expect(await client.list(`/callback/?filter[deposit]=${deposit.id}`)).toEqual([]);
      expect(await callbacks(deposit)).toEqual([]);
    },
    expectCallbackCount: async (deposit, times) => {
      const last = await settled(
        () => callbacks(deposit),
        (list) => list.length >= times,
      );
      expect(last).toHaveLength(times);
    },
    expectCallbacks: async (deposit, expected) => {
      const last = await settled(
        () => callbacks(deposit),
        (list) => list.length >= expected.length,
      );
      expect(last).toEqual(expected);
    },
    expectDeposit: async (deposit, attributes) => {
      const last = await settled(
        () => read(deposit),
        (now) => hasAll(now, attributes),
      );
      expect(last).toMatchObject(attributes);
    },
    expectBalance: async (wallet, confirmed, pending) => {
      const last = await settled(
        () => balance(wallet),
        (now) => hasAll(now, { confirmed, pending }),
      );
      expect(last).toEqual({ confirmed, pending });
    },
  };
}

/** The address that a deposit is paid to. */
export function addressOf({ attributes }: Resource): string {
  const address = attributes["address"];
  if (typeof address !== "string") throw new Error("the deposit has no address");
  return address;
}
