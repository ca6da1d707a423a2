import type { Funds } from "../../chains/paying-port.ts";
import { readClaimedNonces } from "./claim.store.ts";
import { createSpend } from "./create-spend.ts";
import { findFeeCeiling } from "./fee-ceiling.ts";
import { allocateNonce } from "./nonce-allocator.ts";
import type { SpendContext } from "./spend-context.ts";

/**
 * Uses an account's unused nonces below used ones by transactions that do nothing, since later nonces cannot be mined before.
 * Does nothing on UTXO chains. Returns how many spends it created.
 */
export async function fillGaps(
  context: SpendContext,
  sender: string,
  signal: AbortSignal,
): Promise<number> {
  const { db, clock, chain, writer, logger } = context;
  if (writer.account === null) return 0;
  const chainNext = await writer.account.nextNonce(sender, signal);
  const claimed = await readClaimedNonces(db, chain, sender, chainNext);
  let opened = 0;
  for (const nonce of allocateNonce(chainNext, claimed).gaps) {
    if (signal.aborted) break;
    const funds: Funds = { kind: "account", address: sender, nonce };
    const feeCeiling = await findFeeCeiling(context, [], funds, signal);
    const outcome = await writer.draft(
      { payments: [], funds, feeTarget: null, feeCeiling, replaces: null },
      signal,
    );
    if (outcome.kind !== "draft") {
      logger.warn("a nonce gap is not filled", { chain, sender, nonce, outcome: outcome.kind });
      break;
    }
    const { draft } = outcome;
    const result = await db.transaction((tx) =>
      createSpend(
        tx,
        {
          chain,
          kind: "gap",
          sender,
          purpose: {},
          request: { payments: [], funds },
          feeCurrency: writer.coin,
          confirmations: context.coinConfirmations,
          leaves: null,
          draft,
        },
        clock.now(),
      ),
    );
    if (result.kind === "created") opened += 1;
  }
  return opened;
}
