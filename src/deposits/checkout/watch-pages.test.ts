/** Tests that concurrent writes neither tear the state of a page nor leave a reader with an old one. */
import { beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { depositApi, makeDeposit } from "../../../test/support/deposit-api.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeWallet,
  type DepositWorld,
  depositWorld,
  fillPool,
  payment,
  rateOf,
  usd,
} from "../../../test/support/deposit-world.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { paymentPages } from "../../../test/support/payment-pages.ts";
import type { Executor } from "../../platform/db/database.ts";
import type { Deposit } from "../deposit.ts";
import type { CheckoutState } from "./checkout-state.ts";
import type { ReadCheckout } from "./read-checkout.ts";
import { createPageWatch } from "./watch-pages.ts";

const database = useDatabase();
const world = depositWorld(database);
const deposits = depositApi(world);
let chain: AnnouncingChain;
let deposit: Deposit;

beforeEach(async () => {
  world.clock.advance(10);
  chain = await announceChain(world, "ETH");
  await chain.catchUp();
  world.rates.set("1002 840", rateOf("2000"));
  const shop = await arrangeWallet(world, { type: 1, currency: usd });
  await fillPool(world, "evm", "", 3);
  deposit = await makeDeposit(deposits, world, shop, { target_amount_requested: "100" }, "1002");
});

const pay = () => chain.append([payment({ deposit, amount: "0.05" })]);
const summarize = ({ stage, arrivals }: CheckoutState): string =>
  [stage, ...arrivals.map(({ state, confirmations }) => `${state} ${confirmations}`)].join(", ");

describe("createPageWatch", () => {
  it("shows every subscriber the newest state when a slow read is overtaken", async () => {
    const { watching } = paymentPages(world);
    const held = Promise.withResolvers<undefined>();
    const isRead = Promise.withResolvers<undefined>();
    let isHeld = false;
    const read: ReadCheckout = async (pageId) => {
      const isThisHeld = isHeld;
      isHeld = false;
      const checkout = await watching.read(pageId);
      if (isThisHeld) {
        isRead.resolve(undefined);
        await held.promise;
      }
      return checkout;
    };
    const watch = createPageWatch({ ...watching, read });
    const [first, second]: readonly string[][] = [[], []];
    const follow = (shown: string[] = []) =>
      watch.subscribe(deposit.paymentPageId, null, (state) => shown.push(summarize(state)));
    try {
      await follow(first);
      isHeld = true;
      const opening = follow(second);
      await isRead.promise;
      await pay();
      await eventually(
        () => first?.at(-1),
        (last) => last === "seen, pending 1",
      );
      held.resolve(undefined);
      await opening;
      await eventually(
        () => second?.at(-1),
        (last) => last === "seen, pending 1",
      );
      expect([first, second]).toEqual([
        ["waiting", "seen, pending 1"],
        ["waiting", "seen, pending 1"],
      ]);
    } finally {
      watch.stop();
    }
  });
});

describe("readPages", () => {
  it("reads the page again when a write falls between its two statements", async () => {
    await pay();
    await chain.grow(1);
    const written: string[] = [];
    const db: Executor = {
      query: async (statement, values) => {
        // Adds the confirming block once, between the two statements.
        if (statement.name === "page.read-arrivals" && written.length === 0) {
          written.push("paid");
          await chain.grow(1);
        }
        return database.db.query(statement, values);
      },
    };
    const context = { ...world.context, db: { ...database.db, ...db } };
    const torn: DepositWorld = { ...world, context };
    expect(summarize(await paymentPages(torn).stateOf(deposit))).toBe("paid, confirmed 3");
    expect(written).toEqual(["paid"]);
  });
});
