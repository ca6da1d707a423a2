import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/platform/kernel/json.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import type { Answer, Resource } from "../support/api-client.ts";
import { hasAll, settled } from "../support/callbacks.ts";
import { openCashier, someone } from "../support/cashier.ts";
import { patienceMs } from "../support/define-scenario.ts";
import { type Shop, withShop } from "../support/shop.ts";
import type { TestSite } from "../support/test-site.ts";

type Ground = {
  readonly site: TestSite;
  readonly alpha: string;
  /** An address for which the sandbox's screening returns red, and that can be paid. */
  readonly red: string;
  /** Pays the deposit's account without its tag; resolves with the transaction's id as the service shows it. */
  readonly payWithoutTag: (deposit: Resource) => Promise<string>;
};

/** The return of a payment without a deposit's tag: the travel rule and screening apply to it, and the operator has the last word. */
export function itScreensReturns(ground: () => Ground): void {
  const withPayment = (
    work: (shop: Shop, wallet: string, receipt: Resource) => Promise<void>,
  ): Promise<void> =>
    withShop(ground().site, async (shop) => {
      const wallet = await shop.wallet("enterprise", ground().alpha);
      const txid = await ground().payWithoutTag(await shop.deposit(wallet));
      const [receipt] = await settled(
        () => shop.client.list(`/unattributed/?filter[txid]=${txid}`),
        (rows) => rows.length === 1,
      );
      await work(shop, wallet, receipt as Resource);
    });

  const sendBack = async (
    { client }: Shop,
    { id }: Resource,
    travelRule: JsonObject,
  ): Promise<Answer> => {
    const { red } = ground();
    const path = `/unattributed/${id}/return/`;
    const quote = await client.post(`${path}calculate/`, {
      data: { type: "payout-calculation", attributes: { to_address: red } },
    });
    const { medium } = quote.attributes["fee"] as { readonly medium: string };
    const attributes = {
      reason: "the payer asked for it",
      address: red,
      fee_amount: medium,
      ...travelRule,
    };
    const document = { data: { type: "unattributed", attributes } };
    return await client.ask("POST", path, document, { "idempotency-key": systemRandom.uuid() });
  };

  it(
    "is returned only with the receiver's details, and held by screening until an operator decides",
    { timeout: patienceMs },
    () =>
      withPayment(async (shop, wallet, receipt) => {
        const before = await shop.balance(wallet);
        const state = async (): Promise<JsonObject> =>
          (await shop.client.get(`/unattributed/${receipt.id}/`)).attributes;
        const { status, text } = await sendBack(shop, receipt, {});
        expect([status, text]).toEqual([400, expect.stringContaining("travel_rule_info")]);
        expect(await state()).toMatchObject({ state: "waiting", account_id: null });

        const cashier = openCashier(ground().site, shop, ground().site.cashier);
        const held = async (): Promise<Resource> => {
          const answer = await sendBack(shop, receipt, { travel_rule_info: someone });
          expect(answer.status, answer.text).toBe(200);
          const payout = answer.one.relationships["payout"]?.data as Resource;
          await cashier.expectTransfer(payout, { status: -2, risk: 95, risk_status: 3 });
          expect(await state()).toMatchObject({ state: "returning" });
          expect(await shop.balance(wallet)).toEqual(before);
          return payout;
        };
        await shop.client.post(`/payout/${(await held()).id}/cancel/`);
        expect(await state()).toMatchObject({ state: "waiting" });
        expect(await shop.balance(wallet)).toEqual(before);

        const { id } = await cashier.transfer(await held());
        await shop.client.post(`/transfer/${id}/release/`, {
          data: { type: "transfer", attributes: { reason: "The payer is known" } },
        });
        await settled(state, (now) => hasAll(now, { state: "returned" }));
        expect(await shop.balance(wallet)).toEqual(before);
      }),
  );
}
