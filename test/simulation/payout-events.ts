import type { DiskSigner } from "../support/disk-signer.ts";
import { type Deployment, replaceProgram } from "../support/payout-programs.ts";
import type { Seeded } from "../support/seeded.ts";

/* What happens to a deployment that pays out, as a seed decides. */

export type PlayedDeployment = Deployment<DiskSigner> & { readonly seeded: Seeded };

export type SimulatedEvent<World extends PlayedDeployment = PlayedDeployment> = (
  world: World,
) => Promise<void> | void;

export type WeightedEvents<World extends PlayedDeployment> = readonly (readonly [
  weight: number,
  happening: SimulatedEvent<World>,
])[];

/** Lets one of the processes do one step, or kills it there. Returns how many were killed. */
export async function takeTurn(world: PlayedDeployment): Promise<number> {
  const { seeded, programs, failAfter } = world;
  const at = seeded.between(0, programs.length - 1);
  const runner = programs[at];
  if (runner === undefined) return 0;
  const { program, main } = runner;
  if (!program.isRunning()) {
    await program.start(main);
    return 0;
  }
  if (!seeded.chance(0.02)) {
    await program.step("go");
    return 0;
  }
  const isInside = seeded.chance(0.3);
  failAfter.statements = isInside ? seeded.between(0, 8) : null;
  await program.step(seeded.chance(0.3) ? "killBefore" : "killAfter");
  failAfter.statements = null;
  replaceProgram(world, at);
  return 1;
}

const mine: SimulatedEvent = ({ site, seeded }) => {
  site.chain.mine({ empty: seeded.chance(0.2) });
};

const wait: SimulatedEvent = ({ site, seeded }) => {
  site.clock.advance(seeded.oneOf([1, 3, 8, 25, 70]) ?? 1);
};

/** What happens to the chain, its node and the signer. */
export const chainAndSignerEvents: WeightedEvents<PlayedDeployment> = [
  [7, mine],
  [6, wait],
  [
    3,
    ({ site, seeded }) => {
      const depth = seeded.between(1, Math.min(4, site.chain.tip().height - 1));
      if (depth < 1 || site.chain.tip().height < 2) return;
      site.chain.reorg(depth, { forgets: seeded.chance(0.4), mines: seeded.chance(0.6) });
    },
  ],
  [
    2,
    ({ site, seeded }) => {
      site.chain.market = BigInt(seeded.oneOf([10, 10, 15, 30, 60]) ?? 10);
      site.chain.isStubborn = seeded.chance(0.3);
    },
  ],
  [
    2,
    ({ site, seeded }) => {
      site.faults.outage = !site.faults.outage && seeded.chance(0.5);
      site.faults.lag = seeded.oneOf([0, 0, 1, 2]) ?? 0;
    },
  ],
  [
    3,
    ({ site, seeded }) => {
      site.faults.broadcast = seeded.oneOf(["fine", "fine", "dropped", "unanswered"]) ?? "fine";
    },
  ],
  [
    2,
    ({ site, seeded }) => {
      site.signer.faults.outage = !site.signer.faults.outage && seeded.chance(0.4);
      site.signer.faults.answer = seeded.chance(0.3) ? "lost" : "fine";
    },
  ],
  [
    2,
    ({ site, seeded }) => {
      site.signer.faults.diesAt = seeded.between(1, 24);
      site.signer.faults.losesPower = seeded.chance(0.6);
    },
  ],
  [
    2,
    ({ site, seeded }) => {
      const waiting = seeded.oneOf(site.chain.mempool());
      if (waiting !== null) site.chain.forget(waiting.txid);
    },
  ],
];

/** Lets one of the events happen. */
export async function happen<World extends PlayedDeployment>(
  world: World,
  weightedEvents: WeightedEvents<World>,
): Promise<void> {
  const total = weightedEvents.reduce((sum, [weight]) => sum + weight, 0);
  let left = world.seeded.fraction() * total;
  for (const [weight, event] of weightedEvents) {
    left -= weight;
    if (left < 0) {
      await event(world);
      return;
    }
  }
}

/** Makes a receiver's contract refuse payments, or accept them again. */
export function revertOrNot({ site, seeded, requests }: PlayedDeployment): void {
  const payout = seeded.oneOf(requests);
  if (payout === null) return;
  const { address } = site.addressing.depositAt(1_000 + payout.number, null);
  if (!site.chain.reverting.delete(address)) site.chain.reverting.add(address);
}
