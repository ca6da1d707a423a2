import type { Executor } from "../../platform/db/database.ts";
import { microBatch } from "../../platform/db/micro-batch.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { asksByCurrentRate } from "../payments/rate-lock.ts";
import { type ComposedState, composeState, type StateContext } from "./compose-state.ts";
import { type ChoiceOffers, createOfferChoices } from "./offer-choices.ts";
import { readPages } from "./page.store.ts";
import type { PageRecord } from "./page-record.ts";

export type CheckoutContext = StateContext &
  ChoiceOffers & { readonly db: Executor; readonly clock: Clock };

/** A page as its payer sees it now, and what it was made from. */
export type Checkout = ComposedState & { readonly page: PageRecord };

/** Null: there is no such page. Pages asked for at the same moment are read together. */
export type ReadCheckout = (pageId: string) => Promise<Checkout | null>;

/** Pages that are asked for at the same moment are read together. */
export function createReadCheckout(context: CheckoutContext): ReadCheckout {
  return microBatch(
    async (pageIds) => {
      const pages = await readPages(context.db, [...new Set(pageIds)]);
      const offerChoices = createOfferChoices(context);
      return Promise.all(
        pageIds.map(async (pageId) => {
          const page = pages.get(pageId);
          if (page === undefined) return null;
          const { deposit } = page;
          const choices = deposit.currency === null ? await offerChoices(deposit) : null;
          const current =
            deposit.currency !== null && asksByCurrentRate(deposit)
              ? await context.findRate(deposit.currency, deposit.walletCurrency)
              : null;
          return { ...composeState(page, choices, current, context, context.clock.now()), page };
        }),
      );
    },
    { slots: 2, maxSize: 100 },
  );
}
