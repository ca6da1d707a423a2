import { object } from "../../src/http/docs/read-description.ts";
import { documentOf, firstId, type Recorder } from "./recorder.ts";
import { ether, mine, payee, type RecordingSite, receiver } from "./story-of-payments.ts";

/** Payouts that are sent, canceled and approved, their recipients, and paused payouts. */
export async function playPayouts(recorder: Recorder, site: RecordingSite): Promise<void> {
  const { ask, peek } = recorder;
  const { as, apprentice } = site;
  const relationships = { wallet: ["wallet", site.wallets.ether], currency: ether } as const;
  const quote = await ask("POST /payout/calculate/", "/payout/calculate/", {
    as,
    body: documentOf("payout-calculation", { amount: "0.1", to_address: payee }, relationships),
  });
  await ask("POST /payout/requirements/", "/payout/requirements/", {
    as,
    body: documentOf("payout-requirements", { amount: "0.1" }, relationships),
  });
  const fee = object(quote.attributes["fee"])["medium"] ?? "";
  const order = (trackingId: string) =>
    documentOf(
      "payout",
      {
        ...{ amount: "0.1", fee_amount: fee, address: payee, tracking_id: trackingId },
        ...{ callback_url: site.callbackUrl, travel_rule_info: receiver },
      },
      relationships,
    );
  const payout = await ask("POST /payout/", "/payout/", { as, body: order("salary-1") });
  await ask("PATCH /payout/{id}/", `/payout/${payout.id}/`, {
    as,
    body: documentOf("payout", { label: "Salary" }, {}, payout.id),
  });
  const waiting = await peek("POST", "/payout/", {
    ...{ as: apprentice, body: order("salary-2"), isKeyed: true },
  });
  await ask("POST /payout/{id}/approve/", `/payout/${waiting.id}/approve/`, { as });
  const dropped = await peek("POST", "/payout/", {
    ...{ as: apprentice, body: order("salary-3"), isKeyed: true },
  });
  await ask("POST /payout/{id}/cancel/", `/payout/${dropped.id}/cancel/`, { as });
  await playThreshold(recorder, as);
  await recorder.until("/spend/?filter[kind]=payout", as, (response) => firstId(response) !== "");
  await ask("GET /spend/", "/spend/?page[size]=1", { as });
  await ask("GET /payout-queue/", "/payout-queue/", { as });
  await mine(recorder, as);
  await playBeneficiaries(recorder, site);
}

async function playThreshold({ ask }: Recorder, as: string): Promise<void> {
  // A higher one needs a second member's approval.
  await ask("POST /travel-rule-threshold/", "/travel-rule-threshold/", {
    as,
    body: documentOf("travel-rule-threshold", { amount: "0" }, { currency: ether }),
  });
  await ask("GET /travel-rule-threshold/", "/travel-rule-threshold/?page[size]=1", { as });
  await ask("DELETE /travel-rule-threshold/{id}/", "/travel-rule-threshold/1002/", { as });
}

async function playBeneficiaries({ ask }: Recorder, { owner: as }: RecordingSite): Promise<void> {
  const created = await ask("POST /beneficiary/", "/beneficiary/", {
    as,
    body: documentOf(
      "beneficiary",
      { name: "Jo Doe", address: payee, travel_rule_info: receiver },
      { currency: ether },
    ),
  });
  const path = `/beneficiary/${created.id}/`;
  await ask("PATCH /beneficiary/{id}/", path, {
    as,
    body: documentOf("beneficiary", { name: "Jo Roe" }, {}, created.id),
  });
  await ask("GET /beneficiary/", "/beneficiary/?page[size]=1", { as });
  await ask("GET /beneficiary/{id}/", path, { as });
  await ask("DELETE /beneficiary/{id}/", path, { as });
}

/** Pauses and resumes a wallet's payouts. */
export async function playKillSwitch({ ask }: Recorder, site: RecordingSite): Promise<void> {
  const { as, wallets } = site;
  const on = await ask("POST /kill-switch/", "/kill-switch/", {
    as,
    body: documentOf(
      "kill-switch",
      { scope: "wallet", reason: "A laptop was stolen." },
      { wallet: ["wallet", wallets.ether] },
    ),
  });
  const path = `/kill-switch/${on.id}/`;
  await ask("GET /kill-switch/", "/kill-switch/", { as });
  await ask("GET /kill-switch/{switch}/", path, { as });
  await ask("POST /kill-switch/{switch}/release/", `${path}release/`, { as });
}

/** A receiver that fails once, a test delivery, and callbacks that are resent. */
export async function playCallbacks(recorder: Recorder, site: RecordingSite): Promise<void> {
  const { ask, until } = recorder;
  const { as } = site;
  const answer = (word: string) =>
    ask("POST /simulator/receiver/", "/simulator/receiver/", {
      as,
      body: documentOf("simulator-receiver", { answer: word }),
    });
  await answer("error");
  const test = await ask("POST /callback/test/", "/callback/test/", {
    as,
    body: documentOf("callback-test", { url: site.callbackUrl }),
  });
  const path = `/callback/${test.id}/`;
  await until(path, as, ({ attributes }) => attributes["attempts"] === 1);
  await answer("ok");
  await ask("POST /callback/{id}/resend/", `${path}resend/`, { as });
  await until(path, as, ({ attributes }) => attributes["delivered_at"] !== null);
  await ask("GET /callback/{id}/", path, { as });
  await ask("POST /callback/resend/", "/callback/resend/", {
    as,
    body: documentOf("callback-resend", { ids: [test.id] }),
  });
  await ask("GET /callback-receiver/", "/callback-receiver/", { as });
}

/** An endpoint for two events: created, tested, given another secret, disabled and removed. */
export async function playWebhookEndpoints(
  { ask }: Recorder,
  { as, callbackUrl }: RecordingSite,
): Promise<void> {
  const type = "webhook-endpoint";
  const events = ["deposit.status", "payout.confirmed"];
  const { id } = await ask("POST /webhook-endpoint/", "/webhook-endpoint/", {
    as,
    body: documentOf(type, { url: callbackUrl, description: "ERP", events }),
  });
  const path = `/webhook-endpoint/${id}/`;
  await ask("POST /webhook-endpoint/{id}/test/", `${path}test/`, { as });
  await ask("POST /webhook-endpoint/{id}/rotate-secret/", `${path}rotate-secret/`, {
    as,
    body: documentOf(type, { grace_hours: 24 }),
  });
  await ask("GET /webhook-endpoint/", "/webhook-endpoint/", { as });
  await ask("GET /webhook-endpoint/{id}/", path, { as });
  await ask("PATCH /webhook-endpoint/{id}/", path, {
    as,
    body: { data: { type, id, attributes: { is_enabled: false } } },
  });
  await ask("DELETE /webhook-endpoint/{id}/", path, { as });
}

/** Two payouts from a file, by a program whose payouts wait for approval, and two more that are canceled. */
export async function playPayoutBatch(
  { ask }: Recorder,
  { as, apprentice, wallets }: RecordingSite,
): Promise<void> {
  const csv = `address,amount,tracking_id,first_name,last_name,street\n${payee},0.01,salary-101,Jo,Doe,1 Some Street\n${payee},0.02,salary-102,Jo,Doe,1 Some Street\n`;
  const related = { wallet: ["wallet", wallets.ether], currency: ["currency", "1002"] } as const;
  const reference = "Salaries 2026-01";
  await ask("POST /payout-batch/preview/", "/payout-batch/preview/", {
    as: apprentice,
    body: documentOf("payout-batch-preview", { csv, reference, fee_speed: "medium" }, related),
  });
  const { id } = await ask("POST /payout-batch/", "/payout-batch/", {
    as: apprentice,
    body: documentOf("payout-batch", { csv, reference, fees_max: "1" }, related),
  });
  await ask("POST /payout-batch/{id}/approve/", `/payout-batch/${id}/approve/`, { as });
  const next = await ask("POST /payout-batch/", "/payout-batch/", {
    as: apprentice,
    body: documentOf(
      "payout-batch",
      { csv: csv.replaceAll("salary-1", "salary-2"), reference: "Salaries 2026-02", fees_max: "1" },
      related,
    ),
  });
  await ask("POST /payout-batch/{id}/cancel/", `/payout-batch/${next.id}/cancel/`, { as });
}
