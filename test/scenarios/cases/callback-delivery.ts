import { expect } from "vitest";
import { answerWith } from "../../support/callback-receiver.ts";
import { eventually } from "../../support/eventually.ts";
import type { Resource } from "../support/api-client.ts";
import { withoutConfirmations } from "../support/callbacks.ts";
import type { DefineScenario } from "../support/define-scenario.ts";
import { addressOf, withShop } from "../support/shop.ts";
import { inFull, type TestSite } from "../support/test-site.ts";

/* Callbacks arrive in order and at least once, can be sent again, and appear in a feed without gaps. */
export function callbackDelivery(scenario: DefineScenario): void {
  scenario(
    "repeats a callback until the receiver accepts it, and sends the next one only then",
    ["ETH"],
    (site) =>
      withShop(site, async (shop) => {
        const amount = inFull("0.2", "ETH");
        const wallet = await shop.wallet("enterprise", "ETH");
        const deposit = await shop.deposit(wallet, { confirmations_needed: 0, tracking_id: "é 7" });
        const { receiver } = shop;
        receiver.answer = (response, received) => {
          const answer =
            receiver.received.length === 1 ? answerWith(500, {}, "out of order") : answerWith(200);
          answer(response, received);
        };
        await site.onChain("ETH", async (chain) => {
          await chain.pay("ETH", addressOf(deposit), "0.2");
          // Once or twice by now.
          await eventually(
            () => receiver.received.length,
            (times) => times > 0,
            180,
          );
          await chain.mine(13);
        });
        await shop.expectBalance(wallet, amount, inFull("0", "ETH"));
        await shop.expectCallbackCount(deposit, 3);

        const [failed, repeated, settled] = shop.receiver.received;
        expect(repeated?.headers["webhook-id"]).toBe(failed?.headers["webhook-id"]);
        expect(repeated?.document.meta.time).not.toBe(failed?.document.meta.time);
        expect(repeated?.document.data).toEqual(failed?.document.data);
        expect(settled?.headers["webhook-id"]).not.toBe(failed?.headers["webhook-id"]);
        expect(withoutConfirmations(await shop.callbacks(deposit))).toEqual([
          `transfer 2 ${amount}`,
          `transfer 2 ${amount}`,
          `transfer 2 ${amount}`,
        ]);

        const list = await deliveredCallbacks(site, deposit);
        expect(
          list.map(({ attributes }) => [attributes["trigger"], attributes["attempts"]]),
        ).toEqual([
          ["confirmed", 2],
          ["settled", 1],
        ]);
        const first = await site.owner.get(`/callback/${list[0]?.id ?? ""}/`);
        expect(first.attributes).toMatchObject({
          attempt_log: [
            { number: 2, status_code: 200 },
            { number: 1, status_code: 500, answer: "out of order" },
          ],
        });

        await site.owner.post(`/callback/${first.id}/resend/`);
        await shop.expectCallbackCount(deposit, 4);
        const resent = shop.receiver.received.at(-1);
        expect(resent?.headers["webhook-id"]).toBe(failed?.headers["webhook-id"]);
        await expectFeedToRepeat(site, deposit, shop.receiver.received);
      }),
  );
}

/** Oldest first, once none of them is being delivered any more. */
async function deliveredCallbacks(site: TestSite, { id }: Resource): Promise<readonly Resource[]> {
  return eventually(
    () => site.owner.list(`/callback/?filter[deposit]=${id}&sort=id`),
    (all) => all.every(({ attributes }) => attributes["status"] === "delivered"),
  );
}

/** The feed contains what the callbacks reported, with numbers that are the same on every read. */
async function expectFeedToRepeat(
  site: TestSite,
  { id }: Resource,
  received: readonly { readonly document: { readonly data: unknown } }[],
): Promise<void> {
  const isOwn = ({ attributes }: Resource): boolean =>
    attributes["object_type"] === "deposit" && attributes["object_id"] === id;
  const whole = await eventually(
    () => readFeed(site, 0),
    (events) => events.filter(isOwn).length === 2,
  );
  expect(whole.map((event) => Number(event.id))).toEqual(whole.map((_event, index) => index + 1));
  const middle = Math.floor(whole.length / 2);
  const rest = await readFeed(site, middle);
  expect(rest.slice(0, whole.length - middle)).toEqual(whole.slice(middle));
  const own = whole.filter(isOwn);
  expect(own.map(({ attributes }) => attributes["payload"])).toMatchObject([
    { data: received[0]?.document.data },
    { data: received[2]?.document.data },
  ]);
}

/** All events after a number, page by page. */
async function readFeed(site: TestSite, after: number): Promise<readonly Resource[]> {
  const events: Resource[] = [];
  for (let last = after; ; ) {
    const page = await site.owner.list(`/event/?filter[after]=${last}&page[size]=100`);
    events.push(...page);
    if (page.length < 100) return events;
    last = Number(page.at(-1)?.id);
  }
}
