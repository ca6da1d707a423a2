import { present } from "../../platform/kernel/assert.ts";
import { reassignArrivals } from "../holdings/book-arrivals.ts";
import { markCoinsDoubtful, spendCoins, unspendCoins } from "../holdings/coin.store.ts";
import { paysOthers } from "../holdings/own-spends.ts";
import { liveClaims, type Spend } from "../spends/spend.ts";
import type { SpendListener, SpendsHandler } from "../spends/spend-listener.ts";

/** Updates coins and arrivals when our own transactions change, however that was learned. `holdsCoins` identifies UTXO chains. */
export function createTreasuryListener(holdsCoins: (chain: string) => boolean): SpendListener {
  const onCoins = ({ chain }: Spend): boolean => holdsCoins(chain);
  const silent: SpendsHandler = () => Promise.resolve();
  return {
    adopted: () => Promise.resolve(),
    broadcast: silent,
    included: async (tx, spends, now) => {
      for (const [chain, included] of byChain(spends)) {
        const used = included.filter(onCoins).flatMap(usedCoins);
        await spendCoins(tx, chain, used);
        await reassignArrivals(
          tx,
          chain,
          included.flatMap((spend) => broughtBy(spend, onCoins)),
          now,
        );
      }
    },
    confirmed: silent,
    failed: silent,
    dropped: silent,
    dead: async (tx, spends) => {
      for (const [chain, dead] of byChain(spends.filter(onCoins)))
        await markCoinsDoubtful(tx, chain, dead.flatMap(claimsOf));
    },
    orphaned: async (tx, spends) => {
      for (const [chain, orphaned] of byChain(spends.filter(onCoins)))
        await unspendCoins(
          tx,
          chain,
          orphaned.flatMap((spend) => [...liveClaims(spend)]),
        );
    },
  };
}

function byChain(spends: readonly Spend[]): ReadonlyMap<string, readonly Spend[]> {
  return Map.groupBy(spends, ({ chain }) => chain);
}

function claimsOf({ attempts }: Spend): readonly string[] {
  return [...new Set(attempts.flatMap(({ draft }) => draft.claims))];
}

/** The coins that the mined transaction spent; other attempts may claim more. */
function usedCoins({
  attempts,
  inclusion,
}: Spend): readonly { readonly outpoint: string; readonly height: number }[] {
  if (inclusion === null) return [];
  const mined = attempts.find(({ number }) => number === inclusion.attempt);
  return present(mined, "the mined attempt").draft.claims.map((outpoint) => ({
    outpoint,
    height: inclusion.height,
  }));
}

function broughtBy(
  spend: Spend,
  onCoins: (spend: Spend) => boolean,
): readonly { readonly txid: string; readonly spendId: string }[] {
  const { attempts, inclusion, id, kind } = spend;
  if (inclusion === null || (paysOthers({ kind }) && !onCoins(spend))) return [];
  const txid = attempts.find(({ number }) => number === inclusion.attempt)?.txid ?? null;
  return txid === null ? [] : [{ txid, spendId: id }];
}
