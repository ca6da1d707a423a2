import type { SweepSurvey } from "../../chains/paying-port.ts";
import { present } from "../../platform/kernel/assert.ts";
import { depositAddress, watchKeyOf } from "./deposit-address.ts";
import { type Candidate, correctHoldings, readChanged } from "./sweep.store.ts";
import type { SweepContext } from "./sweep-context.ts";

/**
 * Surveys addresses on the chain and corrects the holdings accordingly, except those of tokens whose contract does not answer. Throws `InvariantViolation` if a row's address does not
 * match its index.
 */
export async function surveyCandidates(
  { db, chain }: Pick<SweepContext, "db" | "chain">,
  candidates: readonly Pick<Candidate, "watchKey" | "keyIndex" | "currency">[],
  signal: AbortSignal,
): Promise<SweepSurvey> {
  const { addressing, sweeper } = chain;
  const byAddress = Map.groupBy(candidates, ({ watchKey }) => watchKey);
  const addresses = [...byAddress].map(([watchKey, held]) => {
    const { keyIndex } = present(held[0], "a group's candidate");
    const { address } = depositAddress(addressing, { watchKey, keyIndex });
    const currencies = [...new Set(held.map(({ currency }) => currency))];
    return { keyIndex, address, currencies };
  });
  const before = await readChanged(db, chain.chain, candidates);
  const survey = await sweeper.survey(addresses, signal);
  const seenUnits = new Map(
    survey.states.flatMap(({ assets, ...state }) => {
      const watchKey = watchKeyOf(addressing, state);
      return assets.map(({ currency, latest }) => [`${watchKey} ${currency}`, latest] as const);
    }),
  );
  const seen = before.flatMap((holding) => {
    const units = seenUnits.get(`${holding.watchKey} ${holding.currency}`);
    return units === undefined || units === null ? [] : [{ ...holding, units }];
  });
  if (seen.length > 0) await correctHoldings(db, chain.chain, seen);
  return survey;
}
