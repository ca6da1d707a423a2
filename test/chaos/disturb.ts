import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { Disturbance, Relay } from "./relay.ts";
import type { Choices } from "./seeded-choices.ts";

/** The connections from one process to another, which can be disturbed. */
export type Edge = { readonly from: string; readonly to: string } & Pick<Relay, "disturb">;

/** What is disturbed, and how. */
export type NetworkFault = {
  readonly what: string;
  readonly edges: readonly Edge[];
  readonly disturbance: Disturbance;
};

/** The fraction of faults in which one process loses all its connections, as when a cable is pulled. */
const isolationChance = 0.25;
const delayMs = [50, 2_000] as const;

/**
 * All connections of one process, or those between two kinds of processes, each pair of kinds as often as the others: most ways lead to the
 * database and the nodes.
 */
export function chooseNetworkFault(edges: readonly Edge[], choices: Choices): NetworkFault {
  const disturbance = chooseDisturbance(choices);
  if (choices.chance(isolationChance)) {
    const name = choices.pick([...new Set(edges.map(({ from }) => from))]);
    const own = edges.filter(({ from, to }) => from === name || to === name);
    return { what: `${name} to and from all (${disturbance.kind})`, edges: own, disturbance };
  }
  const kinds = [...Map.groupBy(edges, ({ from, to }) => `${kindOf(from)} to ${kindOf(to)}`)];
  const [, among] = choices.pick(kinds);
  const edge = choices.pick(among);
  return {
    what: `${edge.from} to ${edge.to} (${disturbance.kind})`,
    edges: [edge],
    disturbance,
  };
}

/** `worker-2` is a worker, `node of BTC` a node. */
function kindOf(name: string): string {
  return name.replace(/(-| of ).*$/, "");
}

/** One of the three disturbances. */
function chooseDisturbance(choices: Choices): Disturbance {
  const kind = choices.pick(["cut", "silent", "slow"] as const);
  return kind === "slow" ? { kind, delayMs: choices.integer(...delayMs) } : { kind };
}

/** Disturbs connections for a while. */
export async function disturbFor({ edges, disturbance }: NetworkFault, ms: number): Promise<void> {
  const ends = edges.map((edge) => edge.disturb(disturbance));
  await systemClock.sleep(ms);
  for (const end of ends) end();
}
