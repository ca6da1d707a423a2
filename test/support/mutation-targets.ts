import { expect } from "vitest";
import type { JsonObject, JsonValue } from "../../src/platform/kernel/json.ts";
import { arrangeReceipt } from "./arrange-receipt.ts";
import { btc, fillPool } from "./deposit-world.ts";
import { takenFee } from "./fee-node.ts";
import { arrangePeople, type PeopleSite } from "./mutation-people.ts";
import { payee, receiver } from "./payout-world.ts";
import { newBatch } from "./two-tenants.ts";
import type { WholeApi } from "./whole-api.ts";
import {
  arrangeBlocked,
  arrangePayoutOf,
  arrangeUnresolved,
  fundTenant,
  newCalculation,
  newInternalPayout,
  newPayout,
  newRequirements,
} from "./whole-payouts.ts";
import {
  arrangeDepositOf,
  arrangeTenant,
  newDeposit,
  newWallet,
  setPrices,
  type Tenant,
} from "./whole-tenant.ts";

/** The targets of mutated documents. */
export type MutationSite = {
  readonly shop: Tenant;
  /** One for each request of a chunk. */
  readonly deposits: readonly string[];
  readonly wallets: readonly string[];
  readonly payouts: readonly string[];
  readonly callbacks: readonly string[];
  /** A batch that was created completely. */
  readonly batch: string;
  /** Fewer of these: most requests about them come too late. */
  readonly waiting: readonly string[];
  readonly unresolved: readonly string[];
  readonly blocked: readonly string[];
  /** Unattributed payments to the address of the target deposit. */
  readonly receipts: readonly string[];
  /** Unattributed ether. */
  readonly returnable: readonly string[];
  readonly refresh: string;
  /** The receivers of payouts inside the service. */
  readonly targets: {
    readonly wallet: string;
    readonly deposit: string;
    /** The deposit's payment page, which names it. */
    readonly page: string;
  };
  readonly people: PeopleSite;
};

/** Arranges for `mutations` requests, `chunk` of them at a time. */
export async function arrangeMutationSite(
  api: WholeApi,
  mutations: number,
  chunk: number,
): Promise<MutationSite> {
  await fillPool(api.world(), "evm", "", mutations);
  await fillPool(api.world(), "BTC", "bech32", mutations);
  await setPrices(api, { ETH: 2000, BTC: 100_000, USDT: 1 });
  const shop = await arrangeTenant(api);
  await fundTenant(api, shop);
  const { accountId, token } = shop;
  const body = newDeposit(shop.wallets.merchant, { callback_url: "https://shop.example/" }, "1002");
  const deposits = await times(chunk, () => arrangeDepositOf(api, token, body));
  const wallets = await times(chunk, async () => {
    const created = { method: "POST", path: "/wallet/", as: token, body: newWallet(2, "1002") };
    return (await api.ask(created)).one.id;
  });
  const payout = newPayout(shop.wallets.ether);
  const apprentice = await api.arrangeMember({ accountId, role: "withdrawals_with_approval" });
  const apprenticeToken = await api.tokenOf(apprentice);
  const { login, password } = shop.owner;
  const logIn = { data: { type: "auth-token", attributes: { login, password } } };
  const opened = await api.ask({ method: "POST", path: "/token/", body: logIn });
  const targets = await arrangeTargets(api, shop);
  return {
    shop,
    deposits,
    wallets,
    callbacks: await arrangeCallbacks(api, shop, deposits.slice(0, 100)),
    payouts: await times(chunk, () => arrangePayoutOf(api, token, payout)),
    waiting: await times(50, () => arrangePayoutOf(api, apprenticeToken, payout)),
    unresolved: await arrangeUnresolved(api, shop, 40),
    blocked: await arrangeBlocked(api, shop, 40),
    refresh: opened.one.attributes["refresh"] as string,
    returnable: await times(40, () => arrangeReceipt(api.world())),
    receipts: await arrangeReceipts(api, shop, targets.deposit),
    targets,
    batch: await arrangeBatch(api, shop),
    people: await arrangePeople(api),
  };
}

async function arrangeBatch(api: WholeApi, { token, wallets }: Tenant): Promise<string> {
  const body = newBatch("payout-batch", wallets.ether);
  const { one } = await api.ask({ method: "POST", path: "/payout-batch/", as: token, body });
  return one.id;
}

async function arrangeReceipts(api: WholeApi, { token }: Tenant, deposit: string) {
  const { one } = await api.ask({ method: "GET", path: `/deposit/${deposit}/`, as: token });
  const address = one.attributes["address"] as string;
  const bitcoin = { address, chain: "BTC", currency: btc, units: 10_000_000n };
  return times(40, () => arrangeReceipt(api.world(), bitcoin));
}

function times<Created>(
  count: number,
  create: () => Promise<Created>,
): Promise<readonly Created[]> {
  return Promise.all(Array.from({ length: count }, create));
}

/** Canceling writes a status event and so a callback. */
async function arrangeCallbacks(
  { ask, database }: WholeApi,
  shop: Tenant,
  deposits: readonly string[],
): Promise<readonly string[]> {
  for (const id of deposits)
    await ask({ method: "POST", path: `/deposit/${id}/cancel/`, as: shop.token });
  const rows = await database.sql<{ id: string }>("select id from callback order by id");
  expect(rows).toHaveLength(deposits.length);
  return rows.map(({ id }) => id);
}

async function arrangeTargets(
  api: WholeApi,
  { token, wallets }: Tenant,
): Promise<MutationSite["targets"]> {
  const created = { method: "POST", path: "/wallet/", as: token, body: newWallet(1, "1002") };
  const wallet = (await api.ask(created)).one.id;
  const deposit = await arrangeDepositOf(api, token, newDeposit(wallets.merchant, {}, "1000"));
  const { one } = await api.ask({ method: "GET", path: `/deposit/${deposit}/`, as: token });
  const page = one.attributes["payment_page"] as string;
  return { wallet, deposit, page: page.slice(page.lastIndexOf("/") + 1) };
}

/** A route that changes something and usually takes a document. */
export type Target = {
  readonly method: "POST" | "PATCH" | "DELETE";
  /** As the description names it. */
  readonly path: string;
  /** Its share of all mutations, relative to the other targets. */
  readonly weight: number;
  /** Valid documents; routes that take none ignore any. */
  readonly documents: (stage: MutationSite) => readonly JsonObject[];
  /** Each document works once; the first one is kept to show that they are valid. */
  readonly isOnce?: true;
  /** Whose rows `{id}` names. */
  readonly objects?: (stage: MutationSite) => readonly string[];
  /** The caller; default: the shop's program. */
  readonly as?: (people: PeopleSite) => string;
  readonly isPublic?: true;
  /** After several wrong guesses all are refused for a while: 429. */
  readonly isGuessed?: true;
};

const texts = {
  label: "a label",
  tracking_id: "order 5",
  callback_url: "https://shop.example/callback",
  payment_page_redirect_url: "https://shop.example/thanks",
  payment_page_button_text: "Back",
  confirmations_needed: 3,
};
export const patch = (
  type: string,
  attributes: Readonly<Record<string, JsonValue>>,
): JsonObject => ({
  data: { type, attributes },
});
const credentials = ({ shop }: MutationSite, login: string, password: string) =>
  patch("auth-token", { [login]: shop.owner.login, [password]: shop.owner.password });

const reason = "The payer is known";
const payingBack = { address: payee, fee_amount: takenFee, travel_rule_info: receiver };

const payoutTexts = {
  label: "a label",
  callback_url: "https://shop.example/callback",
  confirmations_needed: 3,
};
/** A receiver that is a company. */
const ofCompany: JsonObject = {
  beneficiary: {
    beneficiaryPersons: [
      {
        legalPerson: {
          name: {
            nameIdentifier: [{ legalPersonName: "Shop", legalPersonNameIdentifierType: "LEGL" }],
          },
          geographicAddress: [
            { country: "CH", addressLine: ["Bahnhofstrasse 1"], addressType: "BIZZ" },
          ],
        },
      },
    ],
  },
};
/** An address on regtest, as the deployment's Bitcoin uses; no node quotes a fee for it. */
const bitcoinPayee = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
const bitcoin = { currency: { data: { type: "currency", id: "1000" } } };
const inside = { address: undefined, fee_amount: undefined };

export const mutationTargets: readonly Target[] = [
  {
    method: "POST",
    path: "/deposit/",
    weight: 50,
    documents: ({ shop: { wallets } }) => [
      newDeposit(wallets.ether, texts),
      newDeposit(wallets.bitcoin, { ...texts, address_type: "bech32", status: 2 }, "1000"),
      newDeposit(wallets.merchant, { ...texts, travel_rule_info: receiver }),
      newDeposit(
        wallets.merchant,
        { target_amount_requested: "100.50", inaccuracy: 1.5, time_limit: 3600 },
        1002,
      ),
    ],
  },
  {
    method: "PATCH",
    path: "/deposit/{id}/",
    weight: 18,
    objects: ({ deposits }) => deposits,
    documents: () => [patch("deposit", { label: "b", tracking_id: "6", time_limit: 60 })],
  },
  {
    method: "POST",
    path: "/deposit/{id}/resolve/",
    weight: 4,
    objects: ({ unresolved }) => unresolved,
    documents: () => [
      patch("deposit", { action: "accept" }),
      patch("deposit", { action: "refund", ...payingBack }),
    ],
  },
  {
    method: "POST",
    path: "/deposit/{id}/resolve/calculate/",
    weight: 2,
    objects: ({ unresolved }) => unresolved.slice(10),
    documents: () => [
      patch("payout-calculation", { action: "refund", to_address: payee }),
      patch("payout-calculation", { action: "partial", amount: "1", to_address: payee }),
    ],
  },
  {
    method: "POST",
    path: "/deposit/{id}/cancel/",
    weight: 3,
    objects: ({ deposits }) => deposits,
    documents: () => [patch("deposit", {})],
  },
  {
    method: "POST",
    path: "/wallet/",
    weight: 10,
    documents: () => [newWallet(2, "1002", { label: "c" }), newWallet(1, 840)],
  },
  {
    method: "PATCH",
    path: "/wallet/{id}/",
    weight: 6,
    objects: ({ wallets }) => wallets,
    documents: () => [patch("wallet", { label: "d" })],
  },
  {
    method: "POST",
    path: "/wallet/{id}/activate/",
    weight: 1,
    objects: ({ wallets }) => wallets,
    documents: () => [patch("wallet", {})],
  },
  {
    method: "POST",
    path: "/callback/{id}/resend/",
    weight: 2,
    objects: ({ callbacks }) => callbacks,
    documents: () => [patch("callback", {})],
  },
  {
    method: "POST",
    path: "/transfer/{id}/release/",
    weight: 1,
    objects: ({ blocked }) => blocked.slice(0, blocked.length / 2),
    documents: () => [patch("transfer", { reason })],
  },
  {
    method: "POST",
    path: "/transfer/{id}/return/",
    weight: 2,
    objects: ({ blocked }) => blocked.slice(blocked.length / 2),
    documents: () => [patch("transfer", { ...payingBack, reason })],
  },
  {
    method: "POST",
    path: "/transfer/{id}/return/calculate/",
    weight: 2,
    objects: ({ blocked }) => blocked.slice(5),
    documents: () => [patch("payout-calculation", { to_address: payee })],
  },
  {
    method: "POST",
    path: "/unattributed/{id}/assign/",
    weight: 2,
    objects: ({ receipts }) => receipts,
    documents: ({ targets: { deposit } }) => [
      {
        data: {
          type: "unattributed",
          attributes: { reason },
          relationships: { deposit: { data: { type: "deposit", id: deposit } } },
        },
      },
    ],
  },
  {
    method: "POST",
    path: "/unattributed/{id}/return/",
    weight: 2,
    objects: ({ returnable }) => returnable.slice(0, returnable.length / 2),
    documents: () => [patch("unattributed", { ...payingBack, reason })],
  },
  {
    method: "POST",
    path: "/unattributed/{id}/return/calculate/",
    weight: 2,
    objects: ({ returnable }) => returnable.slice(returnable.length / 2),
    documents: () => [patch("payout-calculation", { to_address: payee })],
  },
  {
    method: "POST",
    path: "/payout/",
    weight: 40,
    documents: ({ shop: { wallets }, targets: { wallet, page } }) => [
      newPayout(wallets.ether, { ...payoutTexts, is_fee_included: false, tag: "", tag_type: null }),
      newPayout(wallets.merchant, { tracking_id: "order 5", force_blockchain: true }),
      newPayout(wallets.merchant, { amount: 0.002, ...payoutTexts, travel_rule_info: ofCompany }),
      newInternalPayout(wallets.ether, wallet, "1002", payoutTexts),
      newPayout(wallets.bitcoin, { ...inside, target_deposit: page }, bitcoin),
      newPayout(wallets.bitcoin, { address: bitcoinPayee, is_fee_included: true }, bitcoin),
    ],
  },
  {
    method: "POST",
    path: "/payout/calculate/",
    weight: 10,
    documents: ({ shop: { wallets } }) => [
      newCalculation(wallets.ether, { amount: "0.1", to_address: payee }),
      newCalculation(wallets.merchant, { amount: 0.1, to_address: payee }),
    ],
  },
  {
    method: "POST",
    path: "/payout/requirements/",
    weight: 5,
    documents: ({ shop: { wallets } }) => [
      newRequirements(wallets.ether, "0.1"),
      newRequirements(wallets.merchant, "0.1"),
    ],
  },
  {
    method: "POST",
    path: "/payout-batch/preview/",
    weight: 2,
    documents: ({ shop: { wallets } }) => [newBatch("payout-batch-preview", wallets.ether)],
  },
  {
    method: "POST",
    path: "/payout-batch/",
    weight: 2,
    documents: ({ shop: { wallets } }) => [newBatch("payout-batch", wallets.ether)],
  },
  {
    method: "POST",
    path: "/payout-batch/{id}/approve/",
    weight: 1,
    objects: ({ batch }) => [batch],
    documents: () => [{}],
  },
  {
    method: "POST",
    path: "/payout-batch/{id}/cancel/",
    weight: 1,
    objects: ({ batch }) => [batch],
    documents: () => [{}],
  },
  {
    method: "PATCH",
    path: "/payout/{id}/",
    weight: 10,
    objects: ({ payouts }) => payouts,
    documents: () => [patch("payout", { label: "b" }), patch("payout", { tracking_id: "6" })],
  },
  {
    method: "POST",
    path: "/payout/{id}/approve/",
    weight: 2,
    objects: ({ waiting }) => waiting,
    documents: () => [patch("payout", {})],
  },
  {
    method: "POST",
    path: "/payout/{id}/cancel/",
    weight: 2,
    objects: ({ payouts }) => payouts,
    documents: () => [patch("payout", {})],
  },
  {
    method: "POST",
    path: "/token/",
    weight: 3,
    isPublic: true,
    documents: (on) => [
      credentials(on, "login", "password"),
      credentials(on, "client_id", "client_secret"),
    ],
  },
  {
    method: "POST",
    path: "/token/refresh/",
    weight: 2,
    isPublic: true,
    documents: ({ refresh }) => [patch("auth-token", { refresh })],
  },
];
