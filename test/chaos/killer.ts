import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import type { Deployment } from "./deployment.ts";
import type { ChaosOptions, KillKind } from "./options.ts";
import { type Part, startPatiently } from "./part.ts";
import type { Choices } from "./seeded-choices.ts";
import { untilSigned } from "./until-signed.ts";

/** Between two kills, beyond the time that the killed one takes to come back. */
const calmMsMax = 900;
/** A share of kills after which nobody waits: the next one may hit while everything still starts. */
const hasteChance = 0.2;
/** A share of kills that hit when a transaction is signed and nobody but the signer knows. */
const signingChance = 0.5;
const signingPatienceMs = 3_000;
const signs: ReadonlySet<KillKind> = new Set(["signer", "worker"]);

/**
 * Kills one part after the other, `rounds` times each kind, in an order and at moments of the seed's choosing, and starts
 * each again. Resolves with how often each kind was killed once all of them are back.
 */
export async function killAndRestart(
  { rounds, kinds, print }: ChaosOptions,
  { parts, signedJournal }: Pick<Deployment, "parts" | "signedJournal">,
  choices: Choices,
  signal: AbortSignal,
): Promise<ReadonlyMap<KillKind, number>> {
  const plan = choices.shuffled(kinds.flatMap((kind) => Array<KillKind>(rounds).fill(kind)));
  const kills = new Map<KillKind, number>();
  /** What each part is busy with: a part is killed and started by one round at a time. */
  const restarts = new Map<Part, Promise<void>>();
  const startedAt = systemClock.now();
  let atSigning = 0;
  for (const [index, kind] of plan.entries()) {
    if (signal.aborted) break;
    await systemClock.sleep(choices.integer(0, calmMsMax), signal);
    const part = choices.pick(parts.filter((candidate) => candidate.kind === kind));
    const waits = !choices.chance(hasteChance);
    // A server that is being started holds locks that only its own end gives back: it is left to come up first. The
    // service's own processes are killed as they start, too.
    if (kind === "node" || kind === "database") await restarts.get(part);
    if (signs.has(kind) && choices.chance(signingChance)) {
      atSigning += Number(await untilSigned(signedJournal, signingPatienceMs));
    }
    const what = await part.kill(choices);
    kills.set(kind, (kills.get(kind) ?? 0) + 1);
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
