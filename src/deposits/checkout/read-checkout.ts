import type { Executor } from "../../platform/db/database.ts";
import { microBatch } from "../../platform/db/micro-batch.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { asksByCurrentRate } from "../payments/rate-lock.ts";
import { type ComposedState, composeState, type StateContext } from "./compose-state.ts";
import { createListChoices, type ListChoicesContext } from "./list-choices.ts";
import { readPages } from "./page.store.ts";
import type { PageRecord } from "./page-record.ts";

export type CheckoutContext = StateContext &
  ListChoicesContext & { readonly db: Executor; readonly clock: Clock };

/** A page's current state with the record it was built from. */
export type Checkout = ComposedState & { readonly page: PageRecord };

/** Reads a page's state; null if the page does not exist. */
export type ReadCheckout = (pageId: string) => Promise<Checkout | null>;

/** Batches concurrent reads into one query. */
export function createReadCheckout(context: CheckoutContext): ReadCheckout {
  return microBatch(
    async (pageIds) => {
      const pages = await readPages(context.db, [...new Set(pageIds)]);
      const listChoices = createListChoices(context);
      return Promise.all(
        pageIds.map(async (pageId) => {
          const page = pages.get(pageId);
          if (page === undefined) return null;
          const { deposit } = page;
          const choices = deposit.currency === null ? await listChoices(deposit) : null;
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
