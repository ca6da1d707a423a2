import {
  height,
  instant,
  integer,
  orNull,
  type RecordOf,
  recordReader,
  text,
} from "../platform/db/columns.ts";

export const receiverFields = {
  host: text("host"),
  consecutiveFailures: integer("consecutive_failures"),
  /** In the future: nothing is sent until then. In the past: one delivery probes the receiver. Null if deliveries are not paused. */
  openUntil: orNull(instant("open_until")),
  failingSince: orNull(instant("failing_since")),
  /** Number of callbacks waiting for this receiver. */
  waiting: height("waiting"),
  updatedAt: instant("updated_at"),
};

/** A receiver that has failed before, as its account sees it. */
export type Receiver = RecordOf<typeof receiverFields>;

export const receiverFromRow = recordReader(receiverFields);
