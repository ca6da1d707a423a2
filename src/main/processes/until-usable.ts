import { type Currency, isPayable } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { World } from "../../platform/kernel/world.ts";
import { checkSystem } from "../../reports/operations/check-readiness.ts";
import { readPools, readUnfunded } from "../../reports/operations/operations.store.ts";
import { type FundedChain, fundTreasury } from "../../sandbox/fund-treasury.ts";
import type { SandboxChain, SandboxFile } from "../../sandbox/sandbox-file.ts";
import type { Foundation } from "../build/foundation.ts";
import { pooledKinds } from "../build/pooled-kinds.ts";
import { familyOf } from "../families/families.ts";
import { openFaucet, sandboxFamilyOf } from "../families/sandbox-families.ts";

const readyPollMs = 50;

/** Resolves when deposits and payouts work on every chain: blocks are read, prices known, our own accounts funded, addresses ready. */
export async function untilUsable(
  foundation: Foundation,
  chains: SandboxFile["chains"],
  signal: AbortSignal,
): Promise<void> {
  await waitUntilServing(foundation, signal);
  await payFloats(foundation, chains, signal);
  await waitForAddresses(foundation, signal);
}

/** Funds our own accounts at the first start, until the funds are booked and deep enough to pay with. */
async function payFloats(
  foundation: Foundation,
  chains: SandboxFile["chains"],
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = foundation;
  const keyspaces = Object.keys(chains).map((chain) => ({
    chain,
    keyspace: familyOf(chain).keyspace.name,
  }));
  const unfunded = await readUnfunded(db, keyspaces);
  if (unfunded.length === 0) return;
  await fundTreasury(unfunded, (chain) =>
    fundedChain(chain, present(chains[chain], `sandbox of ${chain}`), foundation),
  );
  while (!signal.aborted && (await readUnfunded(db, keyspaces)).length > 0)
    await clock.sleep(readyPollMs, signal);
  await waitUntilServing(foundation, signal);
}

/** What the sandbox can pay: coins and tokens of the running chains. */
export function payableCurrencies({ currencies, enabledChains }: Foundation): readonly Currency[] {
  return currencies.all.filter(
    (currency) =>
      currency.chain !== null && enabledChains.has(currency.chain) && isPayable(currency),
  );
}

/** Waits until deposits and payouts are accepted, chains are read to their tips, and prices are present. */
async function waitUntilServing(foundation: Foundation, signal: AbortSignal): Promise<void> {
  const dollar = present(foundation.currencies.byAlpha("USD"), "the dollar");
  const coins = payableCurrencies(foundation).filter(({ kind }) => kind === "coin");
  while (!signal.aborted) {
    const [readiness, ...rates] = await Promise.all([
      checkSystem(foundation),
      ...coins.map(({ id }) => foundation.findRate(id, dollar.id)),
    ]);
    const isPriced = rates.every((rate) => rate !== null);
    if (readiness.ready && isPriced) return;
    await foundation.clock.sleep(readyPollMs, signal);
  }
}

/** Waits until an address of each kind is ready. Accounts that deposits share must have money before. */
async function waitForAddresses(
  { config, clock, db }: Foundation,
  signal: AbortSignal,
): Promise<void> {
  const kinds = pooledKinds(config);
  const isEmpty = ({ free }: { readonly free: string }): boolean => free === "0";
  while (!signal.aborted && (await readPools(db, kinds)).some(isEmpty))
    await clock.sleep(readyPollMs, signal);
}

/** A running chain, for the funds of our own accounts. */
function fundedChain(
  chain: string,
  reached: SandboxChain,
  { currencies, ...world }: Pick<Foundation, "currencies"> & World,
): FundedChain {
  const counts = currencies.onChain(chain).map(({ confirmationBlocks }) => confirmationBlocks);
  return {
    openFaucet: () => openFaucet(chain, reached, world),
    floats: sandboxFamilyOf(chain).floats(reached),
    confirmations: Math.max(...counts),
  };
}
