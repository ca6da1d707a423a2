import { Address, TEST_NETWORK } from "@scure/btc-signer";
import { expect } from "vitest";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import type { Answer, Client, Resource } from "./api-client.ts";
import { type CallbackSummary, hasAll, readCallbacks, settled } from "./callbacks.ts";
import type { ChainControl } from "./chain-control.ts";
import { amountOf } from "./money.ts";
import { addressOf, type Shop } from "./shop.ts";
import { currencyOf, inFull, type Member, type TestSite } from "./test-site.ts";

export const payoutStatus = { waiting: 1, approved: 2, canceled: 3 } as const;

/** A payout request; `attributes` adds to the amount: a receiver other than an address, a confirmation count, or a fee. */
type Order = {
  readonly wallet: string;
  readonly alpha: string;
  readonly amount: string;
  readonly address?: string;
  readonly attributes?: JsonObject;
};

type Quote = {
  readonly isInternal: boolean;
  readonly low: string;
  readonly medium: string;
  readonly high: string;
  readonly warning: number | null;
  readonly currency: number;
};

/** A person who pays out of a shop's wallets, with a credential of their own. */
export type Cashier = {
  readonly client: Client;
  readonly calculate: (order: Order) => Promise<Quote>;
  /** Requests a payout, by default with a new idempotency key and a fee that was just quoted. */
  readonly ask: (order: Order, key?: string) => Promise<Answer>;
  /** The same; fails unless the payout is created. */
  readonly pay: (order: Order) => Promise<Resource>;
  readonly approve: (payout: Resource) => Promise<Resource>;
  readonly cancel: (payout: Resource) => Promise<Resource>;
  readonly read: (payout: Resource) => Promise<JsonObject>;
  /** The transfer that shows the payout's progress. */
  readonly transfer: (payout: Resource) => Promise<Resource>;
  /** Waits until that transfer has these attributes; resolves with all of them. */
  readonly expectTransfer: (payout: Resource, attributes: JsonObject) => Promise<JsonObject>;
  /**
   * Waits until it was broadcast; resolves with its transfer's attributes. It may already be confirmed where blocks arrive
   * automatically.
   */
  readonly expectSent: (payout: Resource) => Promise<JsonObject>;
  readonly callbacks: (payout: Resource) => Promise<readonly CallbackSummary[]>;
  readonly expectCallbacks: (
    payout: Resource,
    callbacks: readonly CallbackSummary[],
  ) => Promise<void>;
  readonly expectCallbackCount: (payout: Resource, times: number) => Promise<void>;
};

/** The receiver that payouts name. */
export const someone: JsonObject = {
  beneficiary: {
    beneficiaryPersons: [
      {
        naturalPerson: {
          name: [{ nameIdentifier: [{ primaryIdentifier: "Doe", secondaryIdentifier: "Jo" }] }],
          geographicAddress: [
            { country: "DE", addressLine: ["1 Some Street"], addressType: "HOME" },
          ],
        },
      },
    ],
  },
};

export function openCashier(
  { deployment, checkCallback }: TestSite,
  { receiver }: Shop,
  { client, login }: Member,
): Cashier {
  const { webhookSecret } = deployment.owner;
  const calculate: Cashier["calculate"] = (order) => quote(client, order);
  const ask: Cashier["ask"] = async (order, key = systemRandom.uuid()) => {
    const fee = await quotedFee(order, calculate);
    const body = documentOf(order, { callback_url: receiver.url, ...fee });
    return client.ask("POST", "/payout/", body, { "idempotency-key": key });
  };
  const transfer: Cashier["transfer"] = async ({ id }) => {
    const list = await client.list(`/transfer/?filter[op_type]=2&filter[op_id]=${id}`);
    expect(list).toHaveLength(1);
    return list[0] as Resource;
  };
  const callbacks: Cashier["callbacks"] = (payout) =>
    readCallbacks(receiver, payout, { credential: login, webhookSecret }, checkCallback);
  return {
    client,
    calculate,
    ask,
    transfer,
    callbacks,
    pay: async (order) => {
      // Fees change with the blocks that other scenarios mine: quote an outdated fee again, as a client would.
      for (let attempt = 1; ; attempt += 1) {
        const { status, text, one } = await ask(order);
        if (status === 201) return one;
        if (attempt === 5 || !text.includes('"4009"')) {
          throw new Error(`a payout was answered ${status}: ${text}`);
        }
      }
    },
    approve: ({ id }) => client.post(`/payout/${id}/approve/`),
    cancel: ({ id }) => client.post(`/payout/${id}/cancel/`),
    read: async ({ id }) => (await client.get(`/payout/${id}/`)).attributes,
    expectTransfer: async (payout, attributes) => {
      const last = await settled(
        async () => (await transfer(payout)).attributes,
        (now) => hasAll(now, attributes),
      );
      expect(last).toMatchObject(attributes);
      return last;
    },
    expectSent: async (payout) => {
      const last = await settled(
        async () => (await transfer(payout)).attributes,
        ({ status }) => status === 1 || status === 2,
      );
      expect([1, 2]).toContain(last["status"]);
      return last;
    },
    expectCallbacks: async (payout, expected) => {
      const last = await settled(
        () => callbacks(payout),
        (list) => list.length >= expected.length,
      );
      expect(last).toEqual(expected);
    },
    expectCallbackCount: async (payout, times) => {
      const last = await settled(
        () => callbacks(payout),
        (list) => list.length >= times,
      );
      expect(last).toHaveLength(times);
    },
  };
}

async function quote(client: Client, order: Order): Promise<Quote> {
  const { wallet, alpha, amount, address = "" } = order;
  const { attributes } = await client.post("/payout/calculate/", {
    data: {
      type: "payout-calculation",
      attributes: { amount, to_address: address },
      relationships: relationshipsOf(wallet, alpha),
    },
  });
  const fee = attributes["fee"] as Omit<Quote, "isInternal">;
  return { isInternal: attributes["is_internal"] === true, ...fee };
}

/** No fee if the order states one, or if there is none to pay. */
async function quotedFee(order: Order, calculate: Cashier["calculate"]): Promise<JsonObject> {
  if (order.address === undefined || order.attributes?.["fee_amount"] !== undefined) return {};
  const { isInternal, medium } = await calculate(order);
  return isInternal ? {} : { fee_amount: medium };
}

/** The request for an order. */
function documentOf(
  { wallet, alpha, amount, address, attributes = {} }: Order,
  more: JsonObject,
): JsonObject {
  return {
    data: {
      type: "payout",
      attributes: {
        amount,
        ...(address === undefined ? {} : { address }),
        travel_rule_info: someone,
        ...more,
        ...attributes,
      },
      relationships: relationshipsOf(wallet, alpha),
    },
  };
}

function relationshipsOf(wallet: string, alpha: string): JsonObject {
  return {
    wallet: { data: { type: "wallet", id: wallet } },
    currency: { data: { type: "currency", id: currencyOf(alpha).id as string } },
  };
}

/** The network fee charged to its payer. */
export function feeOf({ attributes }: Resource): string {
  return textOf(attributes, "fee_amount");
}

/** A required attribute, as text. */
export function textOf(attributes: JsonObject, name: string): string {
  const value = attributes[name];
  if (typeof value !== "string") throw new Error(`${name} is ${JSON.stringify(value)}`);
  return value;
}

/** An address that belongs to no one: 20 random bytes. */
export function newEvmAddress(): string {
  return `0x${Buffer.from(systemRandom.bytes(20)).toString("hex")}`;
}

/** An address that belongs to no one on the private chain, whatever its node's wallets contain. */
export function newBitcoinAddress(): string {
  const regtest = { ...TEST_NETWORK, bech32: "bcrt" };
  return Address(regtest).encode({ type: "wpkh", hash: systemRandom.bytes(20) });
}

/** A new wallet with payable money, `amount` of `alpha`; resolves with its id. */
export async function fundedWallet(
  shop: Shop,
  chain: ChainControl,
  alpha: string,
  amount: string,
): Promise<string> {
  const wallet = await shop.wallet("enterprise", alpha);
  const deposit = await shop.deposit(wallet);
  await chain.pay(alpha, addressOf(deposit), amount);
  await chain.mine(currencyOf(alpha).confirmationBlocks + 1);
  await shop.expectBalance(wallet, inFull(amount, alpha), inFull("0", alpha));
  return wallet;
}

/** The amount of a wallet that payouts hold, read from the books because no response shows it. */
export async function heldIn({ sql }: TestSite, wallet: string, alpha: string): Promise<string> {
  const [row] = await sql<{ readonly held: bigint }>(
    "select held from wallet_balance where wallet_id = $1",
    [wallet],
  );
  return amountOf(row?.held ?? 0n, alpha);
}
