import type { Clock } from "../../platform/kernel/clock.ts";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { JournalDamaged } from "../journal/sealed-lines.ts";
import { createSerialQueue } from "../journal/serial-queue.ts";
import type { EpochFile } from "./epoch-file.ts";
import type { FolderTokens } from "./folder-tokens.ts";
import type { Replica } from "./open-replica.ts";
import type { ReplicaCall, ReplicaReply } from "./replica-protocol.ts";
import type { PairRecord, Witness, Witnessed } from "./witness.ts";

/** A signer that keeps a replica of the active signer's journals, and takes over when that one is silent. */
export type Standby = {
  readonly answer: (call: ReplicaCall) => Promise<ReplicaReply>;
  /** The epoch it knows; 0 before the first. */
  readonly epoch: () => number;
  /**
   * Resolves with the record that makes this signer the active one; it accepts nothing from then on. Rejects with
   * `JournalDamaged` if the witness was restored, or a file cannot be written. Null once `signal` aborts.
   */
  readonly untilActive: (signal: AbortSignal) => Promise<Witnessed | null>;
};

const tickMs = 500;

/** Creates the standby; it does nothing until `untilActive` is called. */
export function createStandby(context: {
  readonly name: string;
  readonly takeoverSeconds: number;
  readonly witness: Witness;
  readonly replica: Replica;
  readonly epochs: EpochFile;
  readonly tokens: FolderTokens;
  /** See `ReplicaState`. */
  readonly policy: string;
  readonly clock: Clock;
  readonly logger: Logger;
}): Standby {
  const { name, witness, replica, epochs, tokens, clock, logger } = context;
  // An answer and a takeover exclude each other: what was acknowledged is in the files that the new active signer reads.
  const inTurn = createSerialQueue();
  let known: Witnessed | null = null;
  // Messages of an earlier session may still be on their way.
  let joined = { epoch: 0, session: 0 };
  let isDone = false;
  let damage: JournalDamaged | null = null;
  // Ticks of this process, not time: one that was paused must hear nothing for as long again before it takes over.
  let silentTicks = 0;
  let told = "";
  const tell = (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    if (told !== message) logger.warn(message, fields);
    told = message;
  };

  const look = async (): Promise<Witnessed | null> => {
    known = null;
    const seen = await witness.read();
    if (seen !== null) await epochs.see(seen.record);
    known = seen;
    return seen;
  };

  const accepts = async ({ epoch, from }: ReplicaCall): Promise<boolean> => {
    if (isDone) return false;
    if (known?.record.epoch !== epoch) await look();
    return known?.record.epoch === epoch && known.record.active === from && from !== name;
  };

  /** Whether the call belongs to the session that was begun last; `state` begins one. */
  const isOfSession = ({ epoch, session, action }: ReplicaCall): boolean => {
    if (action.kind === "state") joined = { epoch, session };
    return joined.epoch === epoch && joined.session === session;
  };

  const apply = async (call: ReplicaCall): Promise<ReplicaReply> => {
    if (!(await accepts(call))) {
      const reason = `${name} does not take ${call.from} for the active signer of epoch ${call.epoch}`;
      return { kind: "refused", reason };
    }
    if (!isOfSession(call)) {
      return { kind: "refused", reason: `session ${call.session} of ${call.from} is over` };
    }
    silentTicks = 0;
    const { action } = call;
    switch (action.kind) {
      case "heartbeat":
        if (!replica.holds(action.newest)) {
          return { kind: "refused", reason: `${name} lacks what ${call.from} wrote` };
        }
        break;
      case "resign":
        silentTicks = Number.POSITIVE_INFINITY;
        break;
      case "state":
        return { kind: "state", state: { seals: replica.seals(), policy: context.policy } };
      case "append":
        await replica.append(action.file, action);
        break;
      case "cut":
        await replica.cut(action.file, action.seal);
        break;
      case "mark":
        await replica.writeMark(action.text);
        break;
      case "token":
        await tokens.take(action.token);
        break;
    }
    return { kind: "done" };
  };

  const answer = async (call: ReplicaCall): Promise<ReplicaReply> => {
    try {
      return await inTurn.run(() => apply(call));
    } catch (error) {
      logger.error("a replicated entry was not kept", { error: errorMessage(error) });
      if (error instanceof JournalDamaged) damage = error;
      return { kind: "refused", reason: errorMessage(error) };
    }
  };

  const replace = async (record: PairRecord, revision: string): Promise<Witnessed | null> => {
    // Until the witness has answered, nothing may be accepted in the earlier epoch.
    known = null;
    const replaced = await witness.replace(record, revision);
    if (replaced === null) return null;
    await epochs.see(record);
    return { record, revision: replaced };
  };

  /** Whether the folder is older than what the record says of it. */
  const tellsIfRestored = ({ folderToken, active, inSync }: PairRecord): boolean => {
    if (tokens.isNamed(folderToken)) return false;
    tell(
      "this signer's folder is a restored copy, which may lack signatures: it does not become active before the other signer was",
      { active, inSync },
    );
    return true;
  };

  /** Null unless this signer is the active one now. */
  const takeOver = async (): Promise<Witnessed | null> => {
    const seen = await look();
    if (seen === null) {
      tell(
        "the witness has no record of this pair: run sluice signer pair create on the host with the newest journals",
      );
      return null;
    }
    const { record, revision } = seen;
    if (record.active === name) {
      if (tellsIfRestored(record)) return null;
      // Also one that was active begins an epoch: a write of its earlier process that comes late must not be granted. The token
      // stays, since the other signer has no other one yet.
      return replace({ ...record, epoch: record.epoch + 1 }, revision);
    }
    if (silentTicks * tickMs < context.takeoverSeconds * 1000) return null;
    if (!record.inSync.includes(name)) {
      tell("the active signer is silent, and this one lacks entries: it cannot take over", {
        active: record.active,
      });
      return null;
    }
    if (tellsIfRestored(record)) return null;
    const folderToken = await tokens.draw();
    const next = { epoch: record.epoch + 1, active: name, inSync: [name], folderToken };
    const taken = await replace(next, revision);
    if (taken !== null) await tokens.keep(folderToken);
    return taken;
  };

  return {
    answer,
    epoch: () => known?.record.epoch ?? 0,
    untilActive: async (signal) => {
      for (let isFirst = true; !signal.aborted; isFirst = false) {
        if (damage !== null) throw damage;
        const isSilent = silentTicks * tickMs >= context.takeoverSeconds * 1000;
        if (isFirst || isSilent || known === null) {
          const mine = await inTurn.run(async () => {
            try {
              const taken = await takeOver();
              isDone = taken !== null;
              return taken;
            } catch (error) {
              if (!(error instanceof Unavailable)) throw error;
              tell("the witness does not answer", { error: errorMessage(error) });
              return null;
            }
          });
          if (mine !== null) return mine;
        }
        await clock.sleep(tickMs, signal);
        silentTicks += 1;
      }
      return null;
    },
  };
}
