import type { Instant } from "../../src/platform/kernel/clock.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { Deployment } from "./deployment.ts";
import { chooseNetworkFault, disturbFor } from "./disturb.ts";
import { lockedTables, lockTable } from "./lock-table.ts";
import type { ChaosOptions, FaultKind } from "./options.ts";
import { describePart, type Part, startPatiently } from "./part.ts";
import type { Choices } from "./seeded-choices.ts";
import { takeConnections } from "./take-connections.ts";
import { untilSigned } from "./until-signed.ts";

/** Between two faults, in addition to the time until the first one is over. */
const calmMsMax = 900;
/** The fraction of faults without a pause: the next one may hit while everything is still starting. */
const hasteChance = 0.2;
/** The fraction of faults that hit when a transaction is signed and only the signer knows it. */
const signingChance = 0.5;
const signingPatienceMs = 3_000;
const signs: ReadonlySet<FaultKind> = new Set(["signer", "worker", "pause"]);
/** From far less than a lease, of two seconds, to far more. */
const standstillMs = [500, 8_000] as const;
const stepSeconds = [-120, 120] as const;
/** Longer than the ten seconds from one comparison with the database's clock to the next. */
const steppedMs = [3_000, 15_000] as const;

export type Kill = { readonly kind: FaultKind; readonly at: Instant; readonly what: string };

type Struck = Pick<Deployment, "parts" | "signers" | "databaseUrl" | "edges">;

/** A fault that has begun: what it hit, and when the deployment is whole again. */
type Strike = { readonly what: string; readonly over: Promise<void> };

/**
 * Strikes with one fault after the other, `rounds` times per kind, in an order and at times chosen by the seed: kills and restarts a
 * part, or does what else `strikeWith` knows. Resolves with the faults once everything is back.
 */
export async function strikeAndRestore(
  { rounds, kinds, print }: ChaosOptions,
  deployment: Struck,
  choices: Choices,
  signal: AbortSignal,
): Promise<readonly Kill[]> {
  const plan = choices.shuffled(kinds.flatMap((kind) => Array<FaultKind>(rounds).fill(kind)));
  const kills: Kill[] = [];
  const restarts: Restarts = new Map();
  const overs: Promise<void>[] = [];
  const startedAt = systemClock.now();
  const journals = Object.values(deployment.signers.journals);
  let atSigning = 0;
  for (const [index, kind] of plan.entries()) {
    if (signal.aborted) break;
    await systemClock.sleep(choices.integer(0, calmMsMax), signal);
    const waits = !choices.chance(hasteChance);
    if (signs.has(kind) && choices.chance(signingChance)) {
      atSigning += Number(await untilSigned(journals, signingPatienceMs));
    }
    const at = systemClock.now();
    const { what, over } = await strikeWith(kind, deployment, { restarts, choices, print });
    kills.push({ kind, at, what });
    over.catch(() => undefined);
    overs.push(over);
    if (waits) await over;
    if ((index + 1) % 10 === 0 || index + 1 === plan.length) {
      const seconds = Math.round((systemClock.now() - startedAt) / 1_000_000);
      print(`${index + 1} of ${plan.length} faults after ${seconds} s, the last one of ${what}`);
    }
  }
  print(`${atSigning} faults of signer or worker hit when something had just been signed`);
  const byTarget = [...Map.groupBy(kills, ({ kind, what }) => `${kind}: ${what}`)].toSorted();
  for (const [target, own] of byTarget) print(`  ${own.length} times ${target}`);
  await Promise.all(overs);
  return kills;
}

/** A part is killed and restarted by one round at a time. */
type Restarts = Map<Part, Promise<void>>;

type Tools = Pick<ChaosOptions, "print"> & {
  readonly restarts: Restarts;
  readonly choices: Choices;
};

async function strikeWith(
  kind: FaultKind,
  { parts, databaseUrl, edges }: Struck,
  tools: Tools,
): Promise<Strike> {
  const { choices } = tools;
  switch (kind) {
    case "lock": {
      const table = choices.pick(lockedTables);
      const over = lockTable(databaseUrl, table, choices.integer(...standstillMs));
      return { what: `table ${table}`, over };
    }
    case "connections": {
      const database = choices.pick(parts.filter((candidate) => candidate.kind === "database"));
      await tools.restarts.get(database);
      const over = takeConnections(databaseUrl, choices.integer(...standstillMs));
      tools.restarts.set(database, over);
      return { what: "the connections of the database", over };
    }
    case "network": {
      const fault = chooseNetworkFault(edges, choices);
      return { what: fault.what, over: disturbFor(fault, choices.integer(...standstillMs)) };
    }
    case "pause": {
      const [part, pause] = pickWith(parts, (part) => part.pause, choices);
      const what = await describePart(part);
      return { what, over: pause(choices.integer(...standstillMs)) };
    }
    case "disk": {
      const [part, fillDisk] = pickWith(parts, (part) => part.fillDisk, choices);
      await tools.restarts.get(part);
      const what = `the disk of ${await describePart(part)}`;
      const over = fillDisk(choices.integer(...standstillMs), choices);
      tools.restarts.set(part, over);
      return { what, over };
    }
    case "clock": {
      const [part, stepClock] = pickWith(parts, (part) => part.stepClock, choices);
      const what = `the clock of ${await describePart(part)}`;
      const over = stepClock(choices.pick(stepSeconds), choices.integer(...steppedMs));
      return { what, over };
    }
    case "api":
    case "worker":
    case "signer":
    case "witness":
    case "node":
    case "database":
      return kill(choices.pick(parts.filter((candidate) => candidate.kind === kind)), tools);
  }
}

/** One of the parts to which that can be done, and how. */
function pickWith<Work>(
  parts: readonly Part[],
  workOf: (part: Part) => Work | undefined,
  choices: Choices,
): readonly [Part, Work] {
  const able = parts.flatMap((part) => {
    const work = workOf(part);
    return work === undefined ? [] : [[part, work] as const];
  });
  return choices.pick(able);
}

async function kill(part: Part, { restarts, choices, print }: Tools): Promise<Strike> {
  // A starting server holds locks that only its own exit releases, so it may come up first. The service's own processes are
  // killed while they start, too.
  if (["node", "database", "witness"].includes(part.kind)) await restarts.get(part);
  const role = await part.role?.();
  const hit = await part.kill(choices);
  const what = role === undefined ? hit : `${hit} (${role})`;
  const over = startPatiently(part.start, (error) => {
    print(`  ${part.name} did not start: ${String(error).slice(0, 300)}`);
  });
  restarts.set(part, over);
  return { what, over };
}
