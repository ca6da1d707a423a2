import {
  canonicalLocator,
  type IntendedAsset,
  type SpendIntent,
  type SweepSource,
} from "./intent.ts";

/*
 * Journals, and spends that a database stored before an upgrade, name tokens as `{ kind: "erc20", contract }`. They are read in
 * today's form, and what is on the disk stays as it was sealed.
 */

/** The same object, with a token of that form in today's: `{ kind: "token", locator }`. Its other members are kept. */
export function neutralAsset(
  asset: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { kind, contract, ...rest } = asset;
  if (kind !== "erc20" || typeof contract !== "string") return asset;
  return { ...rest, kind: "token", locator: canonicalLocator(contract) };
}

/** An intent as the journal holds it, with every token in today's form. */
export function neutralIntent(intent: SpendIntent): SpendIntent {
  switch (intent.kind) {
    case "payout":
      return { ...intent, payouts: intent.payouts.map(withNeutralAsset) };
    case "sweep":
      return { ...intent, sources: intent.sources.map(neutralSource) };
    case "cold":
      return withNeutralAsset(intent);
    case "top_up":
    case "consolidation":
    case "gap":
    case "delegate":
    case "undelegate":
    case "opt_in":
      return intent;
  }
}

function withNeutralAsset<Holder extends { readonly asset: IntendedAsset }>(
  holder: Holder,
): Holder {
  return { ...holder, asset: neutralAsset(holder.asset) as IntendedAsset };
}

function neutralSource(source: SweepSource): SweepSource {
  return { ...source, assets: source.assets.map((asset) => neutralAsset(asset) as IntendedAsset) };
}
