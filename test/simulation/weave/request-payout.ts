import { createHash } from "node:crypto";
import { createPayout } from "../../../src/payouts/create/create-payout.ts";
import type { Payout } from "../../../src/payouts/payout.ts";
import { emptyPayoutRequest } from "../../../src/payouts/payout-documents.ts";
import type { Database } from "../../../src/platform/db/database.ts";
import { present } from "../../../src/platform/kernel/assert.ts";
import { formatDecimal } from "../../../src/platform/kernel/decimal.ts";
import type { CurrencyId } from "../../../src/platform/kernel/money.ts";
import { coinId, type PayoutSite, receiverOf } from "../../support/payout-site.ts";
import { receiver } from "../../support/payout-world.ts";
import { creatingContext, feeUnits, membersOf } from "./payout-contexts.ts";

/** Requests a payout as the api does. The same number sent again has the same idempotency key. `waits`: another member has to approve it. */
export async function requestPayout(
  site: PayoutSite,
  db: Database,
  order: {
    readonly number: number;
    readonly currency: CurrencyId;
    readonly units: bigint;
    readonly waits: boolean;
  },
): Promise<Payout> {
  const { number, currency, units, waits } = order;
  const { owner, asker } = membersOf(site);
  const { payout } = await createPayout(creatingContext(site, db), waits ? asker : owner, {
    request: {
      ...emptyPayoutRequest,
      wallet: present(site.wallets.get(currency), "a wallet"),
      currency,
      amount: formatDecimal(units, site.currencies.get(currency).exp),
      fee_amount: formatDecimal(feeUnits, site.currencies.get(coinId).exp),
      address: receiverOf(site, number),
      travelRule: receiver,
    },
    faults: [],
    idempotencyKey: `00000000-0000-4000-8000-${number.toString().padStart(12, "0")}`,
    fingerprint: createHash("sha256").update(`${number} ${units}`).digest(),
    incoming: null,
  });
  return payout;
}
