import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import type { SignRequest } from "../../src/signer/intent.ts";
import type { SignerClient } from "../../src/signer/signer-client.ts";
import type { LinkName, SignerName, SignerPairSite } from "./signer-pair.ts";

/** A fault of a round; returns how it is undone. */
type Fault = {
  readonly name: string;
  readonly strike: (site: SignerPairSite, active: SignerName) => Promise<() => Promise<void>>;
};

const other = (name: SignerName): SignerName => (name === "a" ? "b" : "a");
/** A kill without a pause: the process is started again before the standby takes over. */
const restart: Fault["strike"] = async (site, active) => {
  await site.signal(active, "SIGKILL");
  return () => Promise.resolve();
};

const kill = (whom: (active: SignerName) => SignerName): Fault["strike"] => {
  return async (site, active) => {
    const name = whom(active);
    await site.kill(name);
    return () => {
      site.start(name);
      return Promise.resolve();
    };
  };
};
const pause = (whom: (active: SignerName) => SignerName): Fault["strike"] => {
  return async (site, active) => {
    const name = whom(active);
    await site.signal(name, "SIGSTOP");
    return () => site.signal(name, "SIGCONT");
  };
};
const silence = (linksOf: (active: SignerName) => readonly LinkName[]): Fault["strike"] => {
  return (site, active) => {
    const links = linksOf(active).map((name) => site.links[name]);
    for (const link of links) link.isSilent = true;
    return Promise.resolve(() => {
      for (const link of links) link.isSilent = false;
      return Promise.resolve();
    });
  };
};

const faults: readonly Fault[] = [
  { name: "active killed", strike: kill((active) => active) },
  { name: "active killed and started again", strike: restart },
  { name: "active paused", strike: pause((active) => active) },
  { name: "standby killed", strike: kill(other) },
  { name: "standby paused", strike: pause(other) },
  { name: "active to standby silent", strike: silence((a) => [`${a}-${other(a)}` as LinkName]) },
  {
    name: "active cut off from standby and witness",
    strike: silence((a) => [`${a}-${other(a)}` as LinkName, `${a}-etcd`]),
  },
  { name: "worker cut off from active", strike: silence((a) => [`worker-${a}`]) },
  { name: "active cut off from witness", strike: silence((a) => [`${a}-etcd`]) },
];

/** How long a fault lasts: longer than a takeover. */
const faultMs = 6_000;
const writers = 4;

/**
 * Signs payouts without a break while each round strikes with the next fault and undoes it. Every fourth request repeats an older payout
 * with another nonce, which must be refused. `faults` names every payout for which two different transactions left a signer, or
 * whose transaction the journal lacks. `table`: the longest time without a signature, by fault.
 */
export async function runPairRounds(
  site: SignerPairSite,
  client: SignerClient,
  options: {
    readonly rounds: number;
    readonly requestOf: (number: number, nonce?: number) => SignRequest;
  },
): Promise<{ readonly faults: readonly string[]; readonly table: string }> {
  const signed = new Map<number, string>();
  const found: string[] = [];
  const pauses = new Map<string, number[]>();
  let next = 1_000;
  const ending = new AbortController();
  const isDone = (): boolean => ending.signal.aborted;
  let lastAt = performance.now();
  let longest = 0;

  const request = async (number: number, nonce: number): Promise<void> => {
    const outcome = await client.sign(options.requestOf(number, nonce));
    longest = Math.max(longest, performance.now() - lastAt);
    lastAt = performance.now();
    if (outcome.kind === "refused") {
      if (signed.get(number) === undefined && nonce === number)
        found.push(`${number}: ${outcome.reason}`);
      return;
    }
    const before = signed.get(number);
    if (before !== undefined && before !== outcome.txid) found.push(`${number}: signed twice`);
    signed.set(number, outcome.txid);
  };
  const write = async (): Promise<void> => {
    while (!isDone()) {
      const number = next;
      next += 1;
      const isAttack = number % 4 === 0 && number > 1_020;
      const [payout, nonce] = isAttack ? [number - 17, number + 1_000_000] : [number, number];
      // An attack on a payout that was never answered could succeed as its first request.
      if (isAttack && !signed.has(payout)) continue;
      for (let isAnswered = false; !isAnswered && !isDone(); ) {
        try {
          await request(payout, nonce);
          isAnswered = true;
        } catch (error) {
          if (!(error instanceof Unavailable)) throw error;
          await systemClock.sleep(100);
        }
      }
    }
  };
  const writing = Array.from({ length: writers }, write);
  for (let round = 0; round < options.rounds; round += 1) {
    const fault = faults[round % faults.length];
    if (fault === undefined) throw new Error("no fault");
    longest = 0;
    lastAt = performance.now();
    const undo = await fault.strike(site, await site.active());
    await systemClock.sleep(faultMs);
    await undo();
    await site.untilInSync();
    const until = performance.now();
    while (lastAt < until) await systemClock.sleep(50);
    pauses.set(fault.name, [...(pauses.get(fault.name) ?? []), longest]);
  }
  ending.abort();
  await Promise.all(writing);
  await assertJournalled(client, signed, found);
  const rows = [...pauses].map(([name, ms]) => {
    const seconds = ms.map((each) => (each / 1000).toFixed(1));
    return `${name}: ${ms.length} rounds, longest pause ${Math.max(...seconds.map(Number))} s`;
  });
  return { faults: found, table: [`${signed.size} payouts signed`, ...rows].join("\n") };
}

async function assertJournalled(
  client: SignerClient,
  signed: ReadonlyMap<number, string>,
  found: string[],
): Promise<void> {
  const numbers = [...signed.keys()];
  const journalled = new Map<string, readonly string[]>();
  for (let start = 0; start < numbers.length; start += 5_000) {
    const ids = numbers.slice(start, start + 5_000).map(String);
    for (const { payoutId, txids } of await client.payoutsSigned(ids))
      journalled.set(payoutId, txids);
  }
  for (const [number, txid] of signed) {
    const txids = journalled.get(String(number)) ?? [];
    if (txids.length !== 1 || txids[0] !== txid) {
      found.push(`${number}: ${txid} left a signer, the journal has ${txids.join(", ")}`);
    }
  }
}
