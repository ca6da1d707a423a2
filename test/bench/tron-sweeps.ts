import { currentPrices, simulatedTransfer } from "../../src/chains/tron/pay-questions.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { type PrivateTron, startPrivateTron } from "../support/private-tron.ts";
import {
  fund,
  openTronAccounts,
  signal,
  sunPerTrx,
  type TronAccounts,
  tether,
} from "../support/tron-accounts.ts";
import { openTronSweeping, type TronSweeping } from "../support/tron-sweeping.ts";
import type { BenchSite } from "./bench-site.ts";
import { countFinding, type Finding } from "./report.ts";

/*
 * What emptying ten deposit addresses of Tether burns on TRON, at the main network's prices and with the energy that Tether's contract
 * takes there: with energy that the gas account lends from its stake, compared with top-ups. All steps are drafted and signed by the
 * product, on the simulated ledger.
 */

const count = 10;
/** Of a transfer to an account that has some, by the contract's current factor. */
const energyOnMainNetwork = 64_285n;
/** Gives each address its energy many times over. */
const stake = 400_000n * sunPerTrx;

/** What sweeping burned, in sun, for addresses without an account and for the same addresses again. */
type Burned = { readonly first: bigint; readonly again: bigint };

/** The section of `npm run bench`. */
export async function benchTronSweeps({ teardown }: BenchSite): Promise<readonly Finding[]> {
  const ledger = await startPrivateTron();
  teardown.add("a simulated TRON ledger", ledger.stop);
  const own = openTronAccounts(ledger);
  teardown.add("its client", own.close);
  await fund(ledger, own.hot, { sun: sunPerTrx, tokens: 1_000_000n });
  await fund(ledger, own.gas, { sun: 1_000_000n * sunPerTrx });
  await matchMainNetwork(ledger, own);
  const sweeping = openTronSweeping(ledger, own);
  const toppedUp = await sweepTwice(ledger, sweeping, 0);
  await sweeping.stake(stake);
  const lent = await sweepTwice(ledger, sweeping, 1_000);
  return [
    finding("without an account", lent.first, toppedUp.first),
    finding("with an account", lent.again, toppedUp.again),
  ];
}

/** The test token's transfer takes less energy than Tether's: the factor of the dynamic energy model makes up for it. */
async function matchMainNetwork(ledger: PrivateTron, own: TronAccounts): Promise<void> {
  const { sunPerEnergy } = await own.node.consult((ask) => ask(currentPrices), signal);
  if (sunPerEnergy !== 100n) throw new Error(`an energy price of ${sunPerEnergy} sun`);
  const call = { contract: ledger.usdt, from: ledger.faucet, to: own.hot, units: 1n };
  const simulation = await own.node.consult((ask) => ask(simulatedTransfer(call)), signal);
  if (simulation.kind === "fails") throw new Error(simulation.reason);
  const factor = (energyOnMainNetwork * 10_000n) / simulation.energy - 10_000n;
  await ledger.control("/set-energy-factor", { contract: ledger.usdt, factor: Number(factor) });
}

async function sweepTwice(
  ledger: PrivateTron,
  sweeping: TronSweeping,
  firstIndex: number,
): Promise<Burned> {
  const sweepAll = async (): Promise<bigint> => {
    let burned = 0n;
    for (let index = firstIndex; index < firstIndex + count; index += 1) {
      await fund(ledger, sweeping.depositAt(index), { tokens: 100_000_000n });
      await ledger.mine(20);
      burned += await sweepOne(sweeping, index);
    }
    return burned;
  };
  const first = await sweepAll();
  // The next day: free bandwidth and the stake's energy are back.
  await ledger.control("/mine", { blocks: 20, seconds: 86_400 });
  return { first, again: await sweepAll() };
}

/** Prepares as often as the survey asks for it, sends, and takes back what was lent. */
async function sweepOne(sweeping: TronSweeping, keyIndex: number): Promise<bigint> {
  let burned = 0n;
  for (;;) {
    const state = await sweeping.stateOf(keyIndex, tether);
    const { preparation, feeUnits } = present(state.assets[0], "the token");
    const plan =
      preparation === null
        ? ({ kind: "single", state, currency: tether } as const)
        : ({ kind: "prepare", state, preparation } as const);
    burned += (await sweeping.carryOut(plan, feeUnits.alone)).burned;
    if (preparation !== null) continue;
    const { states, releaseFeeUnits } = await sweeping.survey([keyIndex], []);
    const lent = states.filter(({ isPrepared }) => isPrepared);
    if (lent.length > 0)
      burned += (await sweeping.carryOut({ kind: "release", states: lent }, releaseFeeUnits))
        .burned;
    return burned;
  }
}

function finding(which: string, lent: bigint, toppedUp: bigint): Finding {
  const trx = (sun: bigint): number => Number(sun) / 1e6 / count;
  return countFinding(
    `USDT of ${count} TRON addresses ${which}, with lent energy`,
    { product: trx(lent), floor: trx(toppedUp) },
    "TRX each",
    "top-ups",
    1,
  );
}
