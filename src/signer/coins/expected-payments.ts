import { DraftRefused } from "../draft-signer.ts";
import type { SpendIntent } from "../intent.ts";

/** A payment that the draft must contain exactly once. */
export type Expected = { readonly address: string; readonly units: bigint };

/**
 * The payments of an intent on a chain of coins, whose transactions spend coins of ours and return the rest as change. Throws
 * `DraftRefused` for what such a chain does not have: tokens, tags, sweeps.
 */
export function expectedPayments(
  intent: SpendIntent,
  coldAddress: string | null,
): readonly Expected[] {
  switch (intent.kind) {
    case "payout":
      if (intent.payouts.length === 0) throw new DraftRefused("there is no payout");
      return intent.payouts.map(({ address, asset, tag, units }) => {
        if (asset.kind !== "coin" || tag !== null)
          throw new DraftRefused("only the coin itself is paid here, to addresses without tags");
        return { address, units: integerOf(units) };
      });
    case "cold":
      if (intent.asset.kind !== "coin") throw new DraftRefused("only the coin itself is here");
      if (coldAddress === null) throw new DraftRefused("no cold address is configured");
      return [{ address: coldAddress, units: integerOf(intent.units) }];
    case "consolidation":
      return [];
    case "sweep":
    case "top_up":
    case "gap":
    case "delegate":
    case "undelegate":
    case "opt_in":
      throw new DraftRefused(`${intent.kind} is not signed on a chain of coins`);
  }
}

/** An amount of an intent, as decimal text. */
export function integerOf(text: string): bigint {
  if (!/^(?:0|[1-9]\d*)$/.test(text)) throw new DraftRefused("the amount is not an integer");
  return BigInt(text);
}
