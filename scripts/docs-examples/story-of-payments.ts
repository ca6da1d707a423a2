import { object, text } from "../../src/http/docs/read-description.ts";
import type { JsonObject } from "../../src/platform/kernel/json.ts";
import { documentOf, firstId, type RecordedResponse, type Recorder } from "./recorder.ts";

/** The context of a story. */
export type RecordingSite = {
  /** The access token of the Owner's program. */
  readonly as: string;
  /** Of a program whose payouts wait for approval. */
  readonly apprentice: string;
  /** A person's access token. */
  readonly owner: string;
  /** An Enterprise wallet in ether and a Merchant wallet in dollars. */
  readonly wallets: { readonly ether: string; readonly dollars: string };
  /** Where callbacks are received. */
  readonly callbackUrl: string;
  /** Sends ether from an address that screens red. */
  readonly payRed: (address: string, ether: bigint) => Promise<void>;
};

export const payee = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const ether = ["currency", "1002"] as const;
export const receiver: JsonObject = {
  beneficiary: {
    beneficiaryPersons: [
      {
        naturalPerson: {
          name: [{ nameIdentifier: [{ primaryIdentifier: "Doe", secondaryIdentifier: "Jo" }] }],
          geographicAddress: [
            { country: "DE", addressLine: ["Unter den Linden 1"], addressType: "HOME" },
          ],
        },
      },
    ],
  },
};

/** Invoices that are paid, overpaid and unpaid, a user's own address, and payments that screening holds. */
export async function playPayments(recorder: Recorder, site: RecordingSite): Promise<void> {
  const { ask, peek, until } = recorder;
  const { as, wallets } = site;
  await playWallets(recorder, site);
  const paid = await ask("POST /deposit/", "/deposit/", { as, body: invoice(site, "order-1001") });
  const over = await peek("POST", "/deposit/", { as, body: invoice(site, "order-1002") });
  await playUnpaid(recorder, site);
  const own = await peek("POST", "/deposit/", {
    as,
    body: documentOf(
      "deposit",
      { tracking_id: "user-7", travel_rule_info: receiver },
      { wallet: ["wallet", wallets.ether] },
    ),
  });
  await pay(recorder, as, paid.id, "exact");
  await pay(recorder, as, over.id, "over");
  await pay(recorder, as, own.id, "exact", "20");
  const red = await Promise.all([1, 2].map(() => payByRed(recorder, site)));
  await mine(recorder, as);
  const ended = ({ attributes }: RecordedResponse): boolean => attributes["status"] !== 2;
  await until(`/deposit/${paid.id}/`, as, ended);
  await until(`/deposit/${over.id}/`, as, ended);
  await ask("GET /deposit/{id}/", `/deposit/${paid.id}/`, { as });
  await ask("GET /deposit/{id}/travel-rule/", `/deposit/${own.id}/travel-rule/`, { as });
  await ask("GET /deposit/{id}/timeline/", `/deposit/${paid.id}/timeline/?page[size]=3`, { as });
  await playUnresolved(recorder, site, over.id);
  await playBlocked(recorder, site, red);
  await until(
    `/wallet/${wallets.ether}/`,
    as,
    ({ attributes }) => Number(attributes["balance_confirmed"]) > 10,
  );
}

async function playWallets(recorder: Recorder, site: RecordingSite): Promise<void> {
  const { ask } = recorder;
  const { as } = site;
  const wallet = await ask("POST /wallet/", "/wallet/", {
    as,
    body: documentOf("wallet", { type: 2, label: "Ether of the shop" }, { currency: ether }),
  });
  await ask("PATCH /wallet/{id}/", `/wallet/${wallet.id}/`, {
    as,
    body: documentOf("wallet", { label: "Ether" }, {}, wallet.id),
  });
  await ask("POST /wallet/{id}/activate/", `/wallet/${wallet.id}/activate/`, { as });
  await ask("PATCH /store-settings/", "/store-settings/", {
    as,
    body: documentOf("store-settings", {
      ...{ shop_name: "The Shop", help_email: "help@shop.example" },
      ...{ accent_color: "#7a0b4b", frame_ancestors: ["https://shop.example"] },
      ...{ underpayment_percent: "0.5", overpayment_percent: "2" },
      ...{ underpayment_amount: "0.50", overpayment_amount: "1.00", tolerance_currency: "840" },
      ...{ time_limit: 3600, callback_url: "https://shop.example/callbacks" },
    }),
  });
  await playLinks(recorder, site);
}

async function playLinks({ ask }: Recorder, { as, wallets }: RecordingSite): Promise<void> {
  const attributes = {
    name: "Blue teapot",
    description: "Porcelain, one liter",
    amount: "40.00",
    stock: 12,
    ends_at: "2026-12-31T23:59:59Z",
  };
  const link = await ask("POST /payment-link/", "/payment-link/", {
    as,
    body: documentOf("payment-link", attributes, { wallet: ["wallet", wallets.dollars] }),
  });
  await ask("PATCH /payment-link/{id}/", `/payment-link/${link.id}/`, {
    as,
    body: documentOf("payment-link", { stock: 20 }, {}, link.id),
  });
}

function invoice({ wallets, callbackUrl }: RecordingSite, trackingId: string): JsonObject {
  const attributes = {
    ...{ label: "Blue chair", tracking_id: trackingId, target_amount_requested: "100.00" },
    ...{ inaccuracy: "1.00", time_limit: 900, callback_url: callbackUrl },
  };
  const wallet = ["wallet", wallets.dollars] as const;
  return documentOf("deposit", attributes, { wallet, currency: ether });
}

async function playUnpaid({ ask, peek }: Recorder, site: RecordingSite): Promise<void> {
  const { as } = site;
  const { id } = await peek("POST", "/deposit/", { as, body: invoice(site, "order-1003") });
  await ask("PATCH /deposit/{id}/", `/deposit/${id}/`, {
    as,
    body: documentOf("deposit", { time_limit: 1800 }, {}, id),
  });
  await ask("POST /deposit/{id}/cancel/", `/deposit/${id}/cancel/`, { as });
}

async function pay(
  { ask }: Recorder,
  as: string,
  deposit: string,
  story: string,
  amount?: string,
): Promise<void> {
  const attributes = amount === undefined ? { story } : { story, amount };
  await ask("POST /simulator/payment/", "/simulator/payment/", {
    as,
    body: documentOf("simulator-payment", attributes, { deposit: ["deposit", deposit] }),
  });
}

/** One block more than ether's confirmations. */
export async function mine({ ask }: Recorder, as: string): Promise<void> {
  await ask("POST /simulator/block/", "/simulator/block/", {
    as,
    body: documentOf("simulator-block", { chain: "ETH", count: 13 }),
  });
}

/** A deposit that is paid from an address that screens red. */
async function payByRed(
  { peek }: Recorder,
  { as, wallets, payRed }: RecordingSite,
): Promise<string> {
  const wallet = ["wallet", wallets.ether] as const;
  const created = await peek("POST", "/deposit/", {
    as,
    body: documentOf("deposit", {}, { wallet }),
  });
  await payRed(text(created.attributes["address"]), 1n);
  return created.id;
}

/** An overpaid deposit: the payer leaves an address and is refunded the excess. */
async function playUnresolved(
  { ask, peek }: Recorder,
  site: RecordingSite,
  id: string,
): Promise<void> {
  const { as } = site;
  const { attributes } = await peek("GET", `/deposit/${id}/`, { as });
  await leaveRefundAddress(text(attributes["payment_page"]));
  await ask("GET /deposit/{id}/payer/", `/deposit/${id}/payer/`, { as });
  const quote = await ask(
    "POST /deposit/{id}/resolve/calculate/",
    `/deposit/${id}/resolve/calculate/`,
    {
      as,
      body: documentOf("payout-calculation", { action: "partial", to_address: payee }),
    },
  );
  const fee = object(quote.attributes["fee"])["medium"] ?? "";
  await ask("POST /deposit/{id}/resolve/", `/deposit/${id}/resolve/`, {
    as,
    body: documentOf("deposit", {
      ...{ action: "partial", address: payee, fee_amount: fee, travel_rule_info: receiver },
    }),
  });
}

async function leaveRefundAddress(page: string): Promise<void> {
  const answer = await fetch(`${page.replace(/\/$/, "")}/refund-address/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ address: payee }),
  });
  if (!answer.ok) console.error(`refund address: ${answer.status} ${await answer.text()}`);
}

/** Of two held payments one is released and one is returned. */
async function playBlocked(
  { ask, until }: Recorder,
  { as }: RecordingSite,
  [passing = "", returned = ""]: readonly string[],
): Promise<void> {
  const held = async (deposit: string): Promise<string> =>
    firstId(
      await until(
        `/transfer/?filter[op_id]=${deposit}&filter[status]=-2`,
        as,
        (response) => firstId(response) !== "",
      ),
    );
  await ask("POST /transfer/{id}/release/", `/transfer/${await held(passing)}/release/`, {
    as,
    body: documentOf("transfer", { reason: "The payer is known to us" }),
  });
  const path = `/transfer/${await held(returned)}/return/`;
  const quote = await ask("POST /transfer/{id}/return/calculate/", `${path}calculate/`, {
    as,
    body: documentOf("payout-calculation", { to_address: payee }),
  });
  const fee = object(quote.attributes["fee"])["medium"] ?? "";
  await ask("POST /transfer/{id}/return/", path, {
    as,
    body: documentOf("transfer", {
      reason: "The payer is not known to us",
      fee_amount: fee,
      travel_rule_info: receiver,
    }),
  });
}
