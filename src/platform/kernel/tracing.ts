import { channel, tracingChannel } from "node:diagnostics_channel";

/*
 * Spans of a distributed trace. Work announces its spans on Node's diagnostics channels; a recorder subscribes, and
 * nobody does unless tracing is configured. Without a subscriber `traced` only calls the work.
 */

/** A stretch of work, as its trace shows it. */
export type SpanStart = {
  /** Few different ones: `POST /payout/`, never with an id. */
  readonly name: string;
  /** `client` waits for another process's `server`. */
  readonly kind: "internal" | "client" | "server";
  /**
   * W3C `traceparent` values of what caused it: it continues the trace of the first one and links the others. Absent or empty: it
   * continues the span around it, or begins a trace.
   */
  readonly causes?: readonly string[];
  /** Traces that it is related to and does not continue, such as a client's. */
  readonly links?: readonly string[];
  /** Ids, names and counts; no secrets, personal data or bodies. */
  readonly attributes?: Readonly<Record<string, string | number>>;
};

/** What becomes known while the work runs. */
export type SpanNotes = {
  readonly add: (attributes: Readonly<Record<string, string | number>>) => void;
};

/** A span that another process measured. Times are microseconds since 1970. */
export type MeasuredSpan = {
  readonly name: string;
  readonly service: string;
  readonly startedAt: number;
  readonly endedAt: number;
};

/** What subscribers receive: the span, and where they put `notes.add`. */
export type SpanMessage = SpanStart & { notes: SpanNotes; error?: unknown };
export type CurrentMessage = { traceparent: string | null };
export type MeasuredMessage = { readonly span: MeasuredSpan };

export const spanChannel = tracingChannel<SpanMessage, SpanMessage>("sluice:span");
export const currentChannel = channel("sluice:current-span");
export const measuredChannel = channel("sluice:measured-span");

const noNotes: SpanNotes = { add: () => undefined };

/** Runs the work in a span. Rejects as the work does, which marks the span as failed. */
export function traced<Result>(
  start: SpanStart,
  work: (notes: SpanNotes) => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return work(noNotes);
  const message: SpanMessage = { ...start, notes: noNotes };
  return spanChannel.tracePromise(() => work(message.notes), message);
}

/** As `traced` if there is a span around it; otherwise the work is of no interest to a trace. */
export function tracedInside<Result>(
  start: SpanStart,
  work: (notes: SpanNotes) => Promise<Result>,
): Promise<Result> {
  return currentTraceparent() === null ? work(noNotes) : traced(start, work);
}

/** Whether anyone records spans. */
export function isTracing(): boolean {
  return currentChannel.hasSubscribers;
}

/** The W3C `traceparent` of the span around the caller; null without one. */
export function currentTraceparent(): string | null {
  if (!isTracing()) return null;
  const message: CurrentMessage = { traceparent: null };
  currentChannel.publish(message);
  return message.traceparent;
}

/** Adds a span that another process measured below the span around the caller. */
export function addMeasuredSpan(span: MeasuredSpan): void {
  const message: MeasuredMessage = { span };
  measuredChannel.publish(message);
}

/** W3C Trace Context, version 00. */
const traceparentPattern = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Whether the text is a valid W3C `traceparent`. */
export function isTraceparent(text: unknown): text is string {
  return typeof text === "string" && traceparentPattern.test(text);
}
