import { hasEndedBy } from "../../../src/platform/kernel/validity.ts";
import type { DiskSigner, Signature } from "../../support/disk-signer.ts";
import type { PayoutSite } from "../../support/payout-site.ts";

/*
 * No two transactions of one payout that could both be mined. The first one no longer can if it has expired or failed in its block, or if nothing has
 * its bytes any more: neither journal nor database, nor a node. Then both were restored from before it was signed, and only a node could
 * have shown it.
 */

/** Checks the signatures after the first `checked` ones against all earlier ones. Returns how many were checked in all. */
export async function assertSignaturesExclude(
  site: PayoutSite<DiskSigner>,
  checked: number,
): Promise<number> {
  const all = site.signer.signatures();
  for (const [at, signature] of all.entries()) {
    if (at < checked) continue;
    for (const earlier of all.slice(0, at)) {
      const receiver = earlier.receivers.find((one) => signature.receivers.includes(one));
      if (receiver === undefined || excludes(signature, earlier)) continue;
      if (await canBeMined(site, earlier))
        throw new Error(
          `${signature.txid} was signed for ${receiver} although ${earlier.txid} can be mined beside it`,
        );
    }
  }
  return all.length;
}

function excludes({ claims }: Signature, earlier: Signature): boolean {
  return claims.some((claim) => earlier.claims.includes(claim));
}

async function canBeMined(
  { chain, database, signer }: PayoutSite<DiskSigner>,
  { txid, validity }: Signature,
): Promise<boolean> {
  const mined = chain
    .blocks()
    .flatMap(({ applied }) => applied)
    .find(({ transaction }) => transaction.txid === txid);
  if (mined !== undefined) return mined.hasSucceeded;
  if (validity !== null && hasEndedBy(validity, chain.tip())) return false;
  if (chain.mempool().some((waiting) => waiting.txid === txid)) return true;
  if (signer.hasJournalled(txid)) return true;
  const recorded = await database.sql("select from spend_attempt where txid = $1 and raw <> ''", [
    txid,
  ]);
  return recorded.length > 0;
}
