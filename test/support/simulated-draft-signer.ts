import { DraftRefused, type DraftSigner } from "../../src/signer/draft-signer.ts";
import { assetName, type IntendedAsset, type SpendIntent } from "../../src/signer/intent.ts";
import type { PaidOutput } from "./paying-chain.ts";
import { signedBy, writeRaw } from "./paying-node.ts";

/*
 * The signer's part of the SIMULATED paying chain, as strict as those of real chains: a draft pays exactly what the intent says, and
 * the rest goes to our own addresses.
 */

/** Creates it. `isOwn`: whether an address is ours. */
export function createSimulatedDraftSigner(
  chain: string,
  findAsset: (currency: string) => IntendedAsset | null,
  isOwn: (address: string) => boolean,
): DraftSigner {
  const nameOf = ({ address, currency, units }: PaidOutput): string => {
    const asset = findAsset(currency);
    if (asset === null) throw new DraftRefused(`${currency} is no currency of ${chain}`);
    return `${address} ${assetName(asset)} ${units}`;
  };
  return {
    chain,
    inspect: (body, intent) => {
      const { claims, account, outputs, feeUnits, validity } = signedBy(body);
      const unpaid = outputs.map(nameOf);
      for (const payment of paymentsOf(intent)) {
        const at = unpaid.indexOf(payment);
        if (at === -1) throw new DraftRefused("it does not pay what was approved");
        unpaid.splice(at, 1);
      }
      if (!unpaid.every((output) => isOwn(output.split(" ")[0] ?? "")))
        throw new DraftRefused("it pays a stranger");
      if (account !== null && !isOwn(account.sender)) throw new DraftRefused("a stranger pays");
      return {
        claims,
        feeUnits,
        ...(validity === null ? {} : { validity }),
        ...(account === null ? {} : { sender: account.sender }),
      };
    },
    sign: (body) => {
      const transaction = signedBy(body);
      return { txid: transaction.txid, raw: writeRaw(transaction) };
    },
  };
}

/** What an intent pays to others. This chain has no sweeps and no cold address. */
function paymentsOf(intent: SpendIntent): readonly string[] {
  if (intent.kind === "consolidation" || intent.kind === "gap") return [];
  if (intent.kind !== "payout") throw new DraftRefused(`this chain has no ${intent.kind}`);
  return intent.payouts.map(
    ({ address, asset, units }) => `${address} ${assetName(asset)} ${units}`,
  );
}
