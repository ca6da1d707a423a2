/** Shows that pages which are read while they are written to come out whole, and that no reader is left with what was before. */
import { beforeEach, expect, test } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { depositApi, makeDeposit } from "../../../test/support/deposit-api.ts";
import {
  arrangeWallet,
  type DepositWorld,
  depositWorld,
  fillPool,
  payment,
  rateOf,
  type ToldChain,
  tellChain,
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
let chain: ToldChain;
let deposit: Deposit;

beforeEach(async () => {
  world.clock.advance(10);
  chain = await tellChain(world, "ETH");
  await chain.catchUp();
  world.rates.set("1002 840", rateOf("2000"));
  const shop = await arrangeWallet(world, { type: 1, currency: usd });
  await fillPool(world, "evm", "", 3);
  deposit = await makeDeposit(deposits, world, shop, { target_amount_requested: "100" }, "1002");
});

const pay = () => chain.append([payment({ deposit, amount: "0.05" })]);
const told = ({ stage, arrivals }: CheckoutState): string =>
  [stage, ...arrivals.map(({ state, confirmations }) => `${state} ${confirmations}`)].join(", ");

test("a page whose reading was overtaken by another reader's is shown what that one was", async () => {
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
    watch.open(deposit.paymentPageId, null, (state) => shown.push(told(state)));
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

test("what is written between a page and what arrived for it is in both, or in neither", async () => {
  await pay();
  await chain.grow(1);
  const written: string[] = [];
  const db: Executor = {
    query: async (statement, values) => {
      // In between, once: the block that makes it paid.
      if (statement.name === "page.read-arrivals" && written.length === 0) {
        written.push("paid");
        await chain.grow(1);
      }
      return database.db.query(statement, values);
    },
  };
  const context = { ...world.context, db: { ...database.db, ...db } };
  const torn: DepositWorld = { ...world, context };
  expect(told(await paymentPages(torn).stateOf(deposit))).toBe("paid, confirmed 3");
  expect(written).toEqual(["paid"]);
});
