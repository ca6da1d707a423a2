import {
  columnList,
  computed,
  height,
  instant,
  integer,
  orNull,
  type RecordOf,
  recordReader,
  text,
} from "../platform/db/columns.ts";

const receiverFields = {
  host: text("host"),
  consecutiveFailures: integer("consecutive_failures"),
  /** In the future: nothing is sent until then. In the past: one delivery probes the receiver. Null if deliveries are not paused. */
  openUntil: orNull(instant("open_until")),
  failingSince: orNull(instant("failing_since")),
  /** Number of callbacks waiting for this receiver. */
  waiting: computed(
    `select count(*) from callback where callback.account_id = host.account_id and callback.host = host.host
       and callback.status = 'pending'`,
    height("waiting"),
  ),
  updatedAt: instant("updated_at"),
};

/** A receiver that has failed before, as its account sees it. */
export type Receiver = RecordOf<typeof receiverFields>;

/** The columns that `receiverFromRow` reads, for a select from `callback_host as host`. */
export const receiverColumns = columnList(receiverFields, "host");
export const receiverFromRow = recordReader(receiverFields);
