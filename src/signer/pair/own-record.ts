import type { Logger } from "../../platform/kernel/logger.ts";
import { createSerialQueue } from "../journal/serial-queue.ts";
import type { PairRecord, Witness, Witnessed } from "./witness.ts";

/** The record that names this signer as the active one, as far as it knows. */
export type OwnRecord = {
  readonly newest: () => PairRecord;
  /** Whether the witness may let the standby take over. */
  readonly isInSync: () => boolean;
  /** Another signer is active. */
  readonly isOver: () => boolean;
  /**
   * Replaces the record by what `change` makes of the newest one, if anything, and learns the present one if that fails. One write at
   * a time: of two, the answer to the earlier one could arrive last, and say what was replaced since. Rejects as `Witness.replace`
   * does.
   */
  readonly replace: (change: (record: PairRecord) => PairRecord | null) => Promise<void>;
};

/** Begins with the record that the witness granted. `onDeposed` is called once, when another signer has become active. */
export function keepOwnRecord(
  standby: string,
  granted: Witnessed,
  context: {
    readonly witness: Witness;
    readonly logger: Logger;
    readonly onDeposed: () => void;
  },
): OwnRecord {
  const { witness, logger, onDeposed } = context;
  const { epoch, active } = granted.record;
  const inTurn = createSerialQueue();
  let known = granted;
  let isOver = false;

  const replace = async (change: Parameters<OwnRecord["replace"]>[0]): Promise<void> => {
    const { record, revision } = known;
    const next = isOver ? null : change(record);
    if (next === null) return;
    // A standby may take over from the request on: whether it was granted may stay unknown for a while.
    if (next.inSync.includes(standby))
      known = { record: { ...record, inSync: next.inSync }, revision };
    const replaced = await witness.replace(next, revision);
    if (replaced !== null) {
      known = { record: next, revision: replaced };
      return;
    }
    const seen = await witness.read();
    if (seen?.record.epoch === epoch && seen.record.active === active) {
      known = seen;
      return;
    }
    isOver = true;
    if (seen === null) logger.warn("the witness has no record of this pair any more");
    else logger.warn("another signer is active", { epoch: seen.record.epoch });
    onDeposed();
  };

  return {
    newest: () => known.record,
    isInSync: () => known.record.inSync.includes(standby),
    isOver: () => isOver,
    replace: (change) => inTurn.run(() => replace(change)),
  };
}
