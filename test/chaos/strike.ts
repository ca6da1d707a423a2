import type { Instant } from "../../src/platform/kernel/clock.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { Deployment } from "./deployment.ts";
import type { ChaosOptions, KillKind } from "./options.ts";
import { type Part, startPatiently } from "./part.ts";
import type { Choices } from "./seeded-choices.ts";
import { untilSigned } from "./until-signed.ts";

/** Between two kills, in addition to the restart time of the killed part. */
const calmMsMax = 900;
/** The fraction of kills without a pause: the next one may hit while everything is still starting. */
const hasteChance = 0.2;
/** The fraction of kills that hit when a transaction is signed and only the signer knows it. */
const signingChance = 0.5;
const signingPatienceMs = 3_000;
const signs: ReadonlySet<KillKind> = new Set(["signer", "worker"]);

export type Kill = { readonly kind: KillKind; readonly at: Instant };

/**
 * Kills one part after the other, `rounds` times per kind, in an order and at times chosen by the seed, and restarts each.
 * Resolves with the kills once all parts are back.
 */
export async function killAndRestart(
  { rounds, kinds, print }: ChaosOptions,
  { parts, signedJournal }: Pick<Deployment, "parts" | "signedJournal">,
  choices: Choices,
  signal: AbortSignal,
): Promise<readonly Kill[]> {
  const plan = choices.shuffled(kinds.flatMap((kind) => Array<KillKind>(rounds).fill(kind)));
  const kills: Kill[] = [];
  /** A part is killed and restarted by one round at a time. */
  const restarts = new Map<Part, Promise<void>>();
  const startedAt = systemClock.now();
  let atSigning = 0;
  for (const [index, kind] of plan.entries()) {
    if (signal.aborted) break;
    await systemClock.sleep(choices.integer(0, calmMsMax), signal);
    const part = choices.pick(parts.filter((candidate) => candidate.kind === kind));
    const waits = !choices.chance(hasteChance);
    // A starting server holds locks that only its own exit releases, so it may come up first. The service's own processes are
    // killed while they start, too.
    if (kind === "node" || kind === "database") await restarts.get(part);
    if (signs.has(kind) && choices.chance(signingChance)) {
      atSigning += Number(await untilSigned(signedJournal, signingPatienceMs));
    }
    kills.push({ kind, at: systemClock.now() });
    const what = await part.kill(choices);
    const restart = startPatiently(part.start, (error) => {
      print(`  ${part.name} did not start: ${String(error).slice(0, 300)}`);
    });
    restarts.set(part, restart);
    restart.catch(() => undefined);
    if (waits) await restart;
    if ((index + 1) % 10 === 0 || index + 1 === plan.length) {
      const seconds = Math.round((systemClock.now() - startedAt) / 1_000_000);
      print(`${index + 1} of ${plan.length} kills after ${seconds} s, the last one of ${what}`);
    }
  }
  print(`${atSigning} kills of signer or worker hit when something had just been signed`);
  await Promise.all(restarts.values());
  return kills;
}
