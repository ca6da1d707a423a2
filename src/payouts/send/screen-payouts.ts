import type {
  ScreeningProvider,
  ScreeningQuestion,
  ScreeningResult,
} from "../../deposits/screening/provider.ts";
import { screenQueued } from "../../deposits/screening/screen-queued.ts";
import { riskStatus } from "../../deposits/transfers/transfer.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Clock } from "../../platform/kernel/clock.ts";
import { formatDecimal } from "../../platform/kernel/decimal.ts";
import { changePayouts, type PayoutContext } from "../change-payouts.ts";
import type { Payout } from "../payout.ts";
import { readPayoutsToScreen } from "./send.store.ts";

type Context = PayoutContext & {
  readonly db: Database;
  readonly clock: Clock;
  /** Null: payouts are not screened, and those that are queued are paid unscreened. */
  readonly provider: ScreeningProvider | null;
};

/**
 * Screens payouts before they are drafted: green ones may be paid, red ones are blocked with their funds held. Once
 * all were asked, rejects with `Unavailable` if the provider did not answer for some (see `screenQueued`).
 */
export async function screenPayouts(context: Context, signal: AbortSignal): Promise<void> {
  const { db, clock, provider } = context;
  await screenQueued<Payout>(
    provider,
    {
      read: (after, limit) => readPayoutsToScreen(db, after, limit),
      question: (payout) => Promise.resolve(questionOf(context, payout)),
      enter: (answers) => {
        const results = new Map(answers.map(({ item, result }) => [item.id, result]));
        const decide = (payout: Payout): Payout => {
          const result = results.get(payout.id);
          return result === undefined ? payout : storeResult(payout, result);
        };
        return db.transaction((tx) =>
          changePayouts(tx, context, [...results.keys()], decide, clock.now()),
        );
      },
    },
    signal,
  );
}

function questionOf({ currencies }: Context, payout: Payout): ScreeningQuestion {
  const currency = currencies.get(payout.currency);
  return {
    direction: "payout",
    chain: payout.chain,
    currency: currency.alpha,
    amount: formatDecimal(payout.paidUnits, currency.exp),
    address: payout.address ?? "",
    from: [],
    txid: null,
  };
}

/** A payout that was canceled or released during screening stays as it is. */
function storeResult(payout: Payout, result: ScreeningResult | null): Payout {
  if (payout.riskStatus !== riskStatus.queued || payout.stage !== "held") return payout;
  if (result === null) return { ...payout, riskStatus: riskStatus.notAvailable };
  const { risk, verdict } = result;
  return verdict === "green"
    ? { ...payout, risk, riskStatus: riskStatus.green }
    : {
        ...payout,
        risk,
        riskStatus: riskStatus.red,
        stage: "blocked",
        message: "Screening rejected the recipient",
      };
}
