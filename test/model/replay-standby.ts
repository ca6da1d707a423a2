import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import {
  openSealedLines,
  readSealedLines,
  type SealedLines,
} from "../../src/signer/journal/sealed-lines.ts";
import { spendJournalFormat } from "../../src/signer/journal/spend-journal.ts";
import { openEpochFile } from "../../src/signer/pair/epoch-file.ts";
import { openFolderTokens } from "../../src/signer/pair/folder-tokens.ts";
import { openReplica, type Replica } from "../../src/signer/pair/open-replica.ts";
import type { ReplicaAction } from "../../src/signer/pair/replica-protocol.ts";
import { createStandby, type Standby } from "../../src/signer/pair/stand-by.ts";
import type { PairRecord, Witness } from "../../src/signer/pair/witness.ts";
import { manualClock } from "../support/manual-clock.ts";
import type { ModelStep } from "./open-model.ts";

/*
 * Replays a history of signer-pair.qnt against the standby's code and real journals: each message that arrives in the history is
 * answered by src/signer/pair/stand-by.ts, each takeover is its own. The active signer's side is the history's.
 */

type Line = { readonly payout: number; readonly tx: number };
type Message = {
  readonly from: string;
  readonly epoch: number;
  readonly session: number;
  readonly kind: "state" | "cut" | "append" | "beat";
  readonly previous: readonly Line[];
  readonly result: readonly Line[];
};
/** The model knows no tokens. */
type ModelRecord = Omit<PairRecord, "folderToken">;
type Modelled = {
  readonly record: ModelRecord;
  readonly signers: readonly (readonly [
    string,
    {
      readonly role: string;
      readonly joined: string;
      readonly request: { readonly stage: string };
    },
  ])[];
  readonly journals: readonly (readonly [string, readonly Line[]])[];
  readonly asked: Message;
};

type Signer = {
  readonly name: string;
  readonly folder: string;
  running:
    | { readonly role: "standby"; readonly standby: Standby; readonly replica: Replica }
    | { readonly role: "active"; readonly lines: SealedLines }
    | null;
};

const key = new Uint8Array(32).fill(2);
const file = "spends.journal";
const takeoverSeconds = 0.5;
const bodyOf = (line: Line): string => JSON.stringify(line);
const formatIn = (folder: string) => spendJournalFormat(join(folder, file), key, null);

/** Rejects with the step at which code and model differ. Resolves with how often each kind of message was answered. */
export async function replayStandby(
  history: readonly ModelStep[],
  home: string,
): Promise<Readonly<Record<string, number>>> {
  const site = await createSite(home, history);
  const answered: Record<string, number> = {};
  try {
    for (const [at, step] of history.entries()) {
      const before = history[at - 1];
      if (before === undefined) continue;
      try {
        const kind = await site.take(step, modelled(before));
        if (kind !== null) answered[kind] = (answered[kind] ?? 0) + 1;
        await site.compare(modelled(step));
      } catch (error) {
        const story = history.slice(0, at + 1).map(({ action, picks }) => [action, picks]);
        throw new Error(`step ${at} of ${JSON.stringify(story)}`, { cause: error });
      }
    }
  } finally {
    await site.close();
  }
  return answered;
}

const modelled = ({ state }: ModelStep): Modelled => state as unknown as Modelled;

async function createSite(home: string, history: readonly ModelStep[]) {
  const [first] = history;
  if (first === undefined) throw new Error("a history begins with a state");
  const start = modelled(first);
  const witness = createWitness(start.record);
  const clock = manualClock();
  const signers = new Map<string, Signer>();
  for (const [name, journal] of start.journals) {
    const folder = join(home, name);
    await mkdir(folder, { recursive: true });
    const lines = await openSealedLines(formatIn(folder), () => undefined);
    for (const line of journal) await lines.append(bodyOf(line));
    await lines.close();
    signers.set(name, { name, folder, running: null });
  }
  const signer = (name: string): Signer => {
    const found = signers.get(name);
    if (found === undefined) throw new Error(`no signer ${name}`);
    return found;
  };
  const startAs = async (one: Signer): Promise<void> => {
    const { name, folder } = one;
    const keys = { journalKey: key, spendJournalKey: key, markKey: key };
    const replica = await openReplica({ folder, copyFolder: null, ...keys });
    const epochs = await openEpochFile(folder);
    const tokens = await openFolderTokens(folder);
    const context = { name, takeoverSeconds, witness, replica, epochs, tokens, policy: "" };
    const standby = createStandby({ ...context, clock, logger: silentLogger });
    one.running = { role: "standby", standby, replica };
  };
  const stop = async ({ running }: Signer): Promise<void> => {
    if (running?.role === "standby") await running.replica.close();
    if (running?.role === "active") await running.lines.close();
  };
  for (const one of signers.values()) await startAs(one);

  const numbers = createNumbers();
  /** Whether the other signer's process accepted it. */
  const deliver = async (message: Message): Promise<boolean> => {
    const { running } = signer(message.from === "a" ? "b" : "a");
    if (running?.role !== "standby") return false;
    const { from, epoch } = message;
    const session = numbers.of(message);
    const action = actionOf(message);
    const reply = await running.standby.answer({ method: "replica", epoch, from, session, action });
    return reply.kind !== "refused";
  };

  const takeOver = async (one: Signer, outcome: string): Promise<void> => {
    const { running } = one;
    if (running?.role !== "standby") throw new Error(`${one.name} is no standby`);
    const written = witness.script(outcome);
    const ending = new AbortController();
    const taking = running.standby.untilActive(ending.signal);
    // The first look, and those after its silence.
    for (let turn = 0; turn < 40 && !written.isDone; turn += 1) {
      await settle();
      clock.advance(takeoverSeconds);
    }
    await settle();
    ending.abort();
    const isActive = (await taking) !== null;
    if (isActive !== (outcome === "granted")) throw new Error(`the takeover was ${outcome}`);
    if (!isActive) return;
    await running.replica.close();
    one.running = {
      role: "active",
      lines: await openSealedLines(formatIn(one.folder), () => undefined),
    };
  };

  /** Returns the kind of the message that it answered. */
  const take = async ({ action, picks, state }: ModelStep, before: Modelled) => {
    const after = state as unknown as Modelled;
    const { name, outcome, message } = picks as {
      readonly name: string;
      readonly outcome: string;
      readonly message: Message;
    };
    const sent = after.asked;
    switch (action) {
      case "takeOver":
        await takeOver(signer(name), outcome);
        return null;
      case "kill":
        await stop(signer(name));
        signer(name).running = null;
        return null;
      case "start":
        await stop(signer(name));
        await startAs(signer(name));
        return null;
      case "receive":
        await writeLines(signer(name), before, after);
        return null;
      case "strayArrives":
        await deliver(message);
        return `late ${message.kind}`;
      case "join":
      case "replicate":
      case "confirm": {
        if (JSON.stringify(sent) === JSON.stringify(before.asked) && action !== "join") return null;
        if (sent.kind === "state") numbers.begin(sent);
        if (outcome !== "answered" && outcome !== "unheard") return null;
        const isDone = await deliver(sent);
        if (outcome === "answered" && isDone !== isAccepted(action, name, after)) {
          throw new Error(`${sent.kind} was ${isDone ? "accepted" : "refused"}`);
        }
        return isDone ? sent.kind : `refused ${sent.kind}`;
      }
      default:
        witness.follow(after.record);
        return null;
    }
  };

  return {
    take,
    compare: async (after: Modelled): Promise<void> => {
      for (const [name, journal] of after.journals) {
        const bodies: string[] = [];
        await readSealedLines(formatIn(signer(name).folder), (body) => void bodies.push(body));
        same(bodies, journal.map(bodyOf), `the journal of ${name}`);
      }
      same(witness.record(), after.record, "the record");
      // A deposed signer's process ends by itself.
      for (const [name, { role }] of after.signers) {
        if (role !== "down" || signer(name).running === null) continue;
        await stop(signer(name));
        signer(name).running = null;
      }
    },
    close: async () => {
      for (const one of signers.values()) await stop(one);
    },
  };
}

async function writeLines(one: Signer, before: Modelled, after: Modelled): Promise<void> {
  const had = before.journals.find(([name]) => name === one.name)?.[1].length ?? 0;
  const has = after.journals.find(([name]) => name === one.name)?.[1] ?? [];
  if (one.running?.role !== "active") throw new Error(`${one.name} is not active`);
  for (const line of has.slice(had)) await one.running.lines.append(bodyOf(line));
}

function isAccepted(action: string, name: string, after: Modelled): boolean {
  const mine = after.signers.find(([each]) => each === name)?.[1];
  if (action === "join") return mine?.joined !== "no";
  return mine?.request.stage === (action === "confirm" ? "confirmed" : "answered");
}

/** The model uses a session's number again once nobody knows it; the code counts. */
function createNumbers() {
  const numbers = new Map<string, number>();
  let newest = 0;
  const keyOf = ({ from, session }: Message): string => `${from} ${session}`;
  return {
    begin: (message: Message): void => {
      newest += 1;
      numbers.set(keyOf(message), newest);
    },
    of: (message: Message): number => numbers.get(keyOf(message)) ?? 0,
  };
}

function actionOf({ kind, previous, result }: Message): ReplicaAction {
  const seal = sealOf(result);
  switch (kind) {
    case "state":
      return { kind };
    case "cut":
      return { kind, file, seal };
    case "append": {
      const lines = result.slice(previous.length).map(bodyOf);
      return { kind, file, previous: sealOf(previous), lines, seal };
    }
    case "beat":
      return {
        kind: "heartbeat",
        newest: {
          seals: { "issued.journal": null, "spends.journal": seal, "audit.log": null },
          mark: null,
        },
      };
  }
}

function sealOf(lines: readonly Line[]): string {
  const { header, seal } = formatIn("");
  return lines.reduce(
    (previous, line) => seal(Buffer.from(bodyOf(line)), previous),
    seal(Buffer.from(header), ""),
  );
}

type ScriptedWitness = Witness & {
  /** Says how the next write of a signer ends. */
  readonly script: (outcome: string) => { readonly isDone: boolean };
  readonly record: () => ModelRecord;
  /** Another write was granted. */
  readonly follow: (record: ModelRecord) => void;
};

/** The third party, whose answers and writes get lost as the history says. */
function createWitness(first: ModelRecord): ScriptedWitness {
  let record: PairRecord = { ...first, folderToken: null };
  let revision = 1;
  const write = (next: PairRecord): string => {
    // The model's active signer sends no tokens.
    record = { ...next, inSync: next.inSync.toSorted(), folderToken: null };
    revision += 1;
    return String(revision);
  };
  let scripted = { outcome: "unanswered", isDone: false };
  return {
    script: (outcome) => {
      scripted = { outcome, isDone: false };
      return scripted;
    },
    record: () => withoutToken(record),
    follow: (next) => {
      if (JSON.stringify(next) === JSON.stringify(sortKeys(withoutToken(record)))) return;
      write({ ...next, folderToken: null });
    },
    read: () => Promise.resolve({ record, revision: String(revision) }),
    replace: (next, expected) => {
      // A second attempt hears nothing, and changes nothing.
      const outcome = scripted.isDone ? "unanswered" : scripted.outcome;
      scripted.isDone = true;
      if (expected !== String(revision)) return Promise.resolve(null);
      if (outcome === "granted") return Promise.resolve(write(next));
      if (outcome === "unheard") write(next);
      return Promise.reject(new Unavailable("witness", "no answer"));
    },
  };
}

function withoutToken({ epoch, active, inSync }: PairRecord): ModelRecord {
  return { epoch, active, inSync };
}

function same(actual: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(sortKeys(actual)), JSON.stringify(sortKeys(expected))];
  if (one !== other) throw new Error(`${what} is ${one}, not ${other}`);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sortKeys(each)]));
}

/** Until everything that was begun has come to its next wait. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
